package regs

// instant holds the clauses of the instant lottery « Scrabble » offered online (2006).
var instant = []Clause{
	{Ref: "instant:1", Who: System, Status: Tested,
		Duty: "The rules apply from 11 December 2006; the general rules of 5 April 2001 with all " +
			"their later changes apply too. (Which version: the one in force when the stake is " +
			"accepted, std:47.)",
		Readings: []string{"I12"}},
	{Ref: "instant:2", Who: System, Status: Tested,
		Duty: "The game is sold in issues; an issue is divided into blocks of 1 500 000 units; a " +
			"unit costs 2 EUR.",
		Readings: []string{"I8"}},
	{Ref: "instant:3", Who: System, Status: Tested,
		Duty: "Prizes are spread by lot in the fixed proportion of 404 463 prizes worth 1 830 120 " +
			"EUR for each block, by a prize table (counts × amounts) that must reach both totals " +
			"exactly.",
		Readings: []string{"I1", "I2", "I8"}},
	{Ref: "instant:4.1", Who: System, Status: Tested,
		Duty: "The player may (a board is preset) page through the boards on offer by the zone « " +
			"Cliquez ici pour choisir le plateau de jeu » and choose the one that pictures the " +
			"unit.",
		Readings: []string{"I3"}},
	{Ref: "instant:4.2", Who: System, Status: Tested,
		Duty: "A unit has two zones: a rack of seven tiles marked « Grattez ici » and a board with " +
			"five words set across or down, one each of 3, 4, 5, 6 and 7 letters. No two words of " +
			"a length; no letter twice in a word. Prizes are given to units at random by a set of " +
			"letters hidden on each unit before the player has it.",
		Readings: []string{"I2", "I3", "I4", "I9"}},
	{Ref: "instant:4.3", Who: System, Status: Tested,
		Duty: "Under the rack: seven different letters. Under the board: the letters found under " +
			"the rack, in black, at the places where the words hold them. One or two multiplier " +
			"symbols may also lie under the board.",
		Readings: []string{"I4", "I5", "I11"}},
	{Ref: "instant:4.4.stake", Who: System, Status: Tested,
		Duty: "The stake is confirmed by « Jouez » or « Auto » and debited from the player's " +
			"balance.",
		Readings: []string{"I3", "I6"}},
	{Ref: "instant:4.4.interrupted", Who: System, Status: Tested,
		Duty: "If for any reason play does not go on after the debit, the unit is used up, and the " +
			"player sees whether it won in the last unit of the play history.",
		Readings: []string{"I6", "I10"}},
	{Ref: "instant:4.4.manual", Who: System, Status: Tested,
		Duty: "« Jouez »: the player scratches the rack and, on the board, the letters that match " +
			"the rack. All of it must be uncovered to end the game; until then a message says " +
			"that the letters of the board matching the rack must be scratched (we also show " +
			"which).",
		Readings: []string{"I5", "I11"}},
	{Ref: "instant:4.4.auto", Who: System, Status: Tested,
		Duty:     "« Auto »: the system uncovers everything.",
		Readings: []string{"I7"}},
	{Ref: "instant:4.5", Who: System, Status: Tested,
		Duty: "A unit wins when the rack's letters complete one of the words. 3 letters 2 EUR, 4 " +
			"letters 12, 5 letters 150, 6 letters 1 500, 7 letters 15 000. Prizes never add up. " +
			"Every other unit loses.",
		Readings: []string{"I4"}},
	{Ref: "instant:4.6", Who: System, Status: Tested,
		Duty: "If the completed word has a letter framed by « Bonus », the prize is multiplied: by " +
			"2 (black on white; words of 3, 4 or 5 letters only) or by 3 (white on grey; words of " +
			"3 or 4 letters only). No other factor, and no symbol in words of 6 or 7 letters.",
		Readings: []string{"I5", "I11"}},
	{Ref: "instant:5", Who: System, Status: Tested,
		Duty: "Taking part means accepting these rules and the general rules: the version accepted " +
			"is recorded."},
	{Ref: "instant:6", Who: People, Status: Tested,
		Duty: "The rules are published in the Journal officiel; the rules page shows them with that " +
			"reference (JO 281 of 5 December 2006, NOR ECOZ0699428X)."},
}
