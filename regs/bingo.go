package regs

// bingo holds the clauses of interconnected bingo with virtual cards (article 93).
var bingo = []Clause{
	{Ref: "bingo:93.1", Who: System, Status: Tested,
		Duty: "Each round begins with a sale period shown on every terminal with the time left; " +
			"cards are bought only in the time that the central server allots.",
		Readings: []string{"B3"}},
	{Ref: "bingo:93.2", Who: System, Status: Tested,
		Duty: "Cards are paid by loading an amount on the electronic account, in exchange for " +
			"credits."},
	{Ref: "bingo:93.3", Who: System, Status: Tested,
		Duty:     "Players enter their electronic account in a terminal; that gives the right to play.",
		Readings: []string{"B16"}},
	{Ref: "bingo:93.4", Who: System, Status: Tested,
		Duty: "Choosing a number of cards charges their price in credits; the movement is recorded " +
			"on the account, whose balance follows stakes and prizes.",
		Readings: []string{"B14"}},
	{Ref: "bingo:93.5", Who: Both, Status: Tested,
		Duty: "The highest card price is the one in the authorized game proposal."},
	{Ref: "bingo:93.6", Who: System, Status: Tested,
		Duty: "The request goes to the central server, which handles requests in order of arrival, " +
			"checks the credits, allots the number asked for in series order, tells the terminal, " +
			"deducts the credits and shows how many cards were acquired.",
		Readings: []string{"B1", "B2", "B14"}},
	{Ref: "bingo:93.7", Who: System, Status: Tested,
		Duty: "Every charge and payout is archived on the central server when it happens, and can " +
			"be printed for players and for inspectors."},
	{Ref: "bingo:93.8", Who: System, Status: Tested,
		Duty: "No card is allotted outside the sale time; none is used twice in one sale; the order " +
			"of cards never departs from the order of requests.",
		Readings: []string{"B1", "B3", "B4", "B5"}},
	{Ref: "bingo:93.9", Who: System, Status: Tested,
		Duty: "When the sale ends the start is announced; terminals show how many cards were sold " +
			"and the prizes; hall screens may.",
		Readings: []string{"B8"}},
	{Ref: "bingo:93.10", Who: System, Status: Tested,
		Duty: "Balls (numbers or pictures) are drawn by a random generator and marked " +
			"automatically; terminals show the progress of the cards, the order and sequence " +
			"drawn, how near prizes are and prizes won, with a visual signal for near prizes and " +
			"prizes.",
		Readings: []string{"B9", "B10", "B11", "B13"}},
	{Ref: "bingo:93.11", Who: Both, Status: Tested,
		Duty: "Winning combinations: line, bingo, and those of the approved rules; changes are " +
			"notified to the regulator and announced clearly.",
		Readings: []string{"B8", "B15"}},
	{Ref: "bingo:93.12", Who: System, Status: Tested,
		Duty:     "After a prize the round goes on, and the server announces the others until the end.",
		Readings: []string{"B7", "B10"}},
	{Ref: "bingo:93.13", Who: System, Status: Tested,
		Duty: "The round ends when one or more players complete a card, or when all combinations " +
			"have been won. With several winning cards the whole prize is divided in proportion " +
			"to the price of each card.",
		Readings: []string{"B6", "B7", "B15"}},
	{Ref: "bingo:93.14", Who: Both, Status: Tested,
		Duty: "To stop, the player has the credits (unplayed money and prizes) exchanged for cash " +
			"by the staff of the central cash desk; payment follows article 78 (`standards.md`: " +
			"cash, transfer or cheque; never goods)."},
	{Ref: "bingo:93.15", Who: Both, Status: Tested,
		Duty:     "The last round of the day is announced clearly by terminal and/or sound.",
		Readings: []string{"B12"}},
}
