package contest

// RightWinnerPoints is what a right winner or draw earns in a leg of type « Vainqueur du
// match », by default (contest:6.winner).
const RightWinnerPoints Points = 1

// AwardWinner returns what predicting p earns in a match of the given status that ended r
// (its Result's Outcome), each right prediction being worth points (contest:6.winner). A
// winner by retirement counts (Reading C8), a void match earns nothing (Reading C10).
func AwardWinner(p Outcome, status Status, r Outcome, points Points) Award {
	switch {
	case status == Awaited:
		return Award{Rule: NotPlayedYet}
	case status == Void:
		return Award{Rule: VoidFixture}
	case p == NoOutcome:
		return Award{Rule: EmptyLine}
	case p != r:
		return Award{Rule: WrongWinner}
	default:
		return Award{Rule: RightWinner, Points: points}
	}
}
