package regs

// contest holds the clauses of the prediction contests (articles 3 to 18).
var contest = []Clause{
	{Ref: "contest:3.age", Who: System, Status: Tested,
		Duty: "Open to adults, and to minors with a parent's consent."},
	{Ref: "contest:3.one", Who: Both, Status: Tested,
		Duty: "One account a person (same name, first name, address and IP address). The organizer " +
			"may close multiple accounts and/or ask for proof of identity and address when in " +
			"doubt.",
		Readings: []string{"C21"}},
	{Ref: "contest:3.multiple", Who: Both, Status: Tested,
		Duty: "Multiple accounts of one person with the same IP address are closed as of right, " +
			"without warning; if contested, the proof must be given to the player.",
		Readings: []string{"C14", "C21"}},
	{Ref: "contest:4.register", Who: System, Status: Tested,
		Duty: "Players register first, completely and correctly, and accept the rules and the " +
			"netiquette."},
	{Ref: "contest:4.conduct", Who: Both, Status: Tested,
		Duty: "Whose conduct could harm the site or other players, or breaks French law or the " +
			"netiquette, may be excluded at once.",
		Readings: []string{"C14"}},
	{Ref: "contest:4.identity", Who: Both, Status: Tested,
		Duty: "A gift is sent only against proof of identity and address."},
	{Ref: "contest:4.slip", Who: System, Status: Tested,
		Duty: "Predictions count when the slip of a leg is filled in and validated; it can be " +
			"validated or changed until the time limit of each event.",
		Readings: []string{"C5", "C17", "C25"}},
	{Ref: "contest:5", Who: System, Status: Tested,
		Duty: "No minimum of points is guaranteed."},
	{Ref: "contest:6.names", Who: System, Status: Tested,
		Duty: "« 6 noms »: predict who takes the first places. Six names are worth 10, 8, 6, 4, 2, " +
			"1; four names 8, 4, 2, 1, or 8, 4, 2, 2 where third and fourth are not separated. A " +
			"name earns the lesser of the value of the place predicted and of the place taken; " +
			"the points of the names are summed; at most six places. Worked example: predicted " +
			"first, finished fourth, 4 points.",
		Readings: []string{"C2", "C3", "C4"}},
	{Ref: "contest:6.scores", Who: System, Status: Tested,
		Duty: "« Matchs à score »: right winner or draw 3 points; exact score 2 more; else right " +
			"goal difference 1 more. Wrong outcome 0, but 1 if the goals of one team are right. " +
			"Where no draw is possible: right winner 2, exact score 1 more.",
		Readings: []string{"C6", "C7", "C8", "C9"}},
	{Ref: "contest:6.winner", Who: System, Status: Tested,
		Duty:     "« Vainqueur du match »: 1 point for each right winner or draw.",
		Readings: []string{"C8", "C9"}},
	{Ref: "contest:6.knockout", Who: System, Status: Tested,
		Duty: "« Vainqueur Finaliste »: winner 10, finalist 8, two semi-finalists 5 each, four " +
			"quarter-finalists 1 each, 32 at most; the lesser of the value predicted and the " +
			"value reached.",
		Readings: []string{"C2"}},
	{Ref: "contest:6.quiz", Who: System, Status: Tested,
		Duty: "« QCM »: a right answer earns the points of the question (1 to 5), and then each " +
			"right sub-answer its own (1 to 5).",
		Readings: []string{"C12"}},
	{Ref: "contest:7", Who: System, Status: Tested,
		Duty:     "Players are ranked by points after each leg, until the end of the contest.",
		Readings: []string{"C13"}},
	{Ref: "contest:8.leg", Who: System, Status: Tested,
		Duty: "The pot of a leg is 50 nuggets guaranteed plus 1 for each prediction made (150 " +
			"predictions, 200 nuggets), visible in real time.",
		Readings: []string{"C10", "C14"}},
	{Ref: "contest:8.contest", Who: System, Status: Tested,
		Duty: "The pot of a contest is 100 nuggets a leg, 3 000 at most for now, visible in real " +
			"time.",
		Readings: []string{"C26"}},
	{Ref: "contest:9", Who: System, Status: Tested,
		Duty: "The pot of a leg is shared 25, 20, 15, 10, 9, 8, 6, 4, 2, 1 % over ranks 1 to 10; " +
			"tied players add the percentages of the ranks they hold and divide them equally. " +
			"Worked example: three first, 20 % each.",
		Readings: []string{"C13", "C15", "C16"}},
	{Ref: "contest:10", Who: System, Status: Tested,
		Duty:     "The contest ranks the sum of points over its legs; its pot is shared the same way.",
		Readings: []string{"C15", "C16"}},
	{Ref: "contest:11", Who: System, Status: Tested,
		Duty: "A contest or a single leg may offer special gifts, announced on the site before the " +
			"contest opens (none added after). A tie for a gift is settled for the earliest " +
			"prediction in the last leg (for a single leg, that leg), which gives the final " +
			"ranking for gifts; pots stay shared by contest:9. The gift is offered by e-mail " +
			"only; no answer in 15 days is a refusal, and the next is asked.",
		Readings: []string{"C18", "C19"}},
	{Ref: "contest:12", Who: System, Status: Tested,
		Duty: "Gift shop: gifts and prices are visible on the site; a gift costs its price in " +
			"nuggets and needs a balance that covers it. Prices may change or gifts be withdrawn " +
			"without notice. Nuggets serve only to be exchanged for gifts, have no money value " +
			"and are never converted. Delivery by post is not guaranteed, and players agree not " +
			"to sue over gifts (said in the shop).",
		Readings: []string{"C20", "C22"}},
	{Ref: "contest:13", Who: Both, Status: Tested,
		Duty: "The organizer may at any time, notably in force majeure, change, cancel, shorten or " +
			"lengthen a contest and move the times of legs.",
		Readings: []string{"C10", "C11", "C26"}},
	{Ref: "contest:13.notice", Who: System, Status: Tested,
		Duty: "Players are advised to predict early; the rules state that the organizer is not " +
			"liable for changes, connection or access trouble or lost e-mail, and that players " +
			"release it, its partners, volunteers and staff."},
	{Ref: "contest:14", Who: Both, Status: Tested,
		Duty: "Connection costs are refunded on a claim posted within 7 days: 2 minutes of local " +
			"call for 3 predictions, plus postage at the slow letter rate. Plain paper with bank " +
			"details, copy of identity, login, name, first name, postal address and the phone " +
			"bill with date and hour of play highlighted; one refund a person (same name and " +
			"address); incomplete, wrong, misaddressed or e-mailed claims are not considered; no " +
			"unlimited or all-inclusive plans, no spending at partner sites.",
		Readings: []string{"C24"}},
	{Ref: "contest:15", Who: System, Status: Tested,
		Duty:     "Players can see, correct and remove their personal data.",
		Readings: []string{"C23"}},
	{Ref: "contest:16", Who: Both, Status: Tested,
		Duty: "A winner who wants the gift allows first name, name and town to be published; a " +
			"refusal gives the gift up."},
	{Ref: "contest:17", Who: Both, Status: Tested,
		Duty: "The organizer settles disputes for good; they are admissible for 15 days after the " +
			"results are proclaimed.",
		Readings: []string{"C11", "C19", "C20"}},
	{Ref: "contest:18", Who: System, Status: Tested,
		Duty: "The rules can be read online and are sent free, as a file attached to an e-mail, on " +
			"request.",
		Readings: []string{"C1"}},
}
