package regs

// loto holds the clauses of the hall loto « Mega Loto ».
var loto = []Clause{
	{Ref: "loto:1", Who: Both, Status: Tested,
		Duty: "Doors open at 8:00."},
	{Ref: "loto:2", Who: Both, Status: Tested,
		Duty:     "Entry is checked by the reservation.",
		Readings: []string{"L16"}},
	{Ref: "loto:3", Who: Both, Status: Tested,
		Duty:     "No entry before cards have been bought.",
		Readings: []string{"L8", "L16"}},
	{Ref: "loto:4", Who: System, Status: Tested,
		Duty: "A reservation presented at entry gives one free card and is then crossed out " +
			"(redeemed).",
		Readings: []string{"L8"}},
	{Ref: "loto:5", Who: System, Status: Tested,
		Duty: "A reservation that is not crossed out is void in the hall: it gives no right."},
	{Ref: "loto:6", Who: Both, Status: Tested,
		Duty: "Cards are sold at several desks at the entrance, one kept for people with reduced " +
			"mobility."},
	{Ref: "loto:7.tariff", Who: System, Status: Tested,
		Duty: "A card costs 5 EUR, a sheet of 3 costs 12, a sheet of 6 costs 20. The organizer " +
			"hands the cards out; nobody chooses.",
		Readings: []string{"L9"}},
	{Ref: "loto:7.payment", Who: System, Status: Tested,
		Duty: "Desks take bank card, cash and cheque; a cheque needs an identity document."},
	{Ref: "loto:8", Who: System, Status: Tested,
		Duty: "Every card is stamped on the day; an unstamped card is void. Cards are neither " +
			"exchanged nor refunded.",
		Readings: []string{"L11"}},
	{Ref: "loto:9", Who: System, Status: Tested,
		Duty: "Start at 11:00, meal break about 12:30 (1 h 15), interval about 15:30 (30 min)."},
	{Ref: "loto:10", Who: System, Status: Tested,
		Duty: "Cards of another series than those on sale are refused, so that no card exists " +
			"twice."},
	{Ref: "loto:11", Who: Both, Status: Tested,
		Duty: "Before play the caller recalls the main rules and asks players to check the day's " +
			"stamp."},
	{Ref: "loto:12", Who: System, Status: Tested,
		Duty: "At the start of a round the caller states the kind or value of the prize, then draws " +
			"with an electronic board, which shows each number; the caller announces it, players " +
			"mark it.",
		Readings: []string{"L2", "L14", "L17"}},
	{Ref: "loto:13", Who: Both, Status: Tested,
		Duty: "A player with one full line shouts « quine » and keeps a hand up; the caller checks " +
			"that there is one winner only.",
		Readings: []string{"L15"}},
	{Ref: "loto:14", Who: System, Status: Tested,
		Duty: "Tie of two or more: the checkers draw from a bag of tokens 1 to 90, the highest " +
			"wins. In rounds with vouchers the winners are offered to share; if the amount cannot " +
			"be divided (20 EUR for 3), tokens are drawn, the two highest share, and the lowest " +
			"gets a consolation prize set by the organizer.",
		Readings: []string{"L1", "L2", "L3", "L4", "L17"}},
	{Ref: "loto:15", Who: Both, Status: Tested,
		Duty: "Check: the checker says that the card is valid and reads the numbers, the last " +
			"number drawn first, then the rest of the line; the caller verifies. Who claims after " +
			"the check began is not retained. If the claimant is wrong the round goes on; else " +
			"the prize is handed over.",
		Readings: []string{"L5", "L6"}},
	{Ref: "loto:16", Who: System, Status: Tested,
		Duty: "Nobody clears; the round goes on by the same rules for two lines of one card, then " +
			"for the full card; then players may clear and the next round begins.",
		Readings: []string{"L7", "L15"}},
	{Ref: "loto:17", Who: System, Status: Tested,
		Duty: "After a player's mistake the caller goes on drawing and never repeats numbers " +
			"already drawn. Players clear only when the caller has closed the round.",
		Readings: []string{"L14"}},
	{Ref: "loto:18", Who: System, Status: Tested,
		Duty:     "A consolation is provided for every tie.",
		Readings: []string{"L4"}},
	{Ref: "loto:19", Who: System, Status: Tested,
		Duty: "The consolation of the main prizes (car, robot mower, trip) is set by the organizer " +
			"beforehand.",
		Readings: []string{"L4", "L13"}},
	{Ref: "loto:20", Who: System, Status: Tested,
		Duty:     "Tie on vouchers: shared.",
		Readings: []string{"L1"}},
	{Ref: "loto:21", Who: System, Status: Tested,
		Duty: "Consolations are never put back into play; no prize is refunded or exchanged."},
	{Ref: "loto:22", Who: Both, Status: Tested,
		Duty: "Disputes are decided by the organizer or the caller alone: the decision and its " +
			"reason are recorded."},
	{Ref: "loto:23", Who: Both, Status: Tested,
		Duty:     "Whoever disturbs the loto is excluded after a refund of the cards.",
		Readings: []string{"L10"}},
	{Ref: "loto:24", Who: Both, Status: Tested,
		Duty:     "The organizer may postpone when too few take part.",
		Readings: []string{"L11"}},
	{Ref: "loto:car.1", Who: System, Status: Tested,
		Duty:     "The car is drawn with a special card of another colour at 6 EUR.",
		Readings: []string{"L13"}},
	{Ref: "loto:car.2", Who: Both, Status: Tested,
		Duty: "That card is sold at its own signposted desk; nobody chooses a card."},
	{Ref: "loto:car.3", Who: System, Status: Tested,
		Duty:     "Only that card plays for the car.",
		Readings: []string{"L12", "L13"}},
	{Ref: "loto:car.4", Who: System, Status: Tested,
		Duty:     "That card also plays for the last three prizes.",
		Readings: []string{"L12"}},
	{Ref: "loto:car.5", Who: Both, Status: Tested,
		Duty: "Registration costs of the car are the winner's."},
	{Ref: "loto:25", Who: System, Status: Tested,
		Duty: "All rules can be downloaded from the website."},
}
