package contest

import (
	"slices"

	"boulier/regs"
)

// A QuestionID identifies a question of a leg of type « QCM ».
type QuestionID string

// An Answer is one of the answers offered; "" is an empty line.
type Answer string

// A Question of a quiz, or a sub-question of another one.
type Question struct {
	ID       QuestionID
	Parent   QuestionID // the question that a sub-question belongs to; "" for a main one
	Points   Points     // MinQuestionPoints to MaxQuestionPoints
	Offered  []Answer   // the answers to choose from; none where answers are free
	Accepted []Answer   // the right answers, any of which will do; none as long as unknown
	Void     bool       // its event never took place (Reading C10)
}

// What a question or a sub-question may be worth (contest:6.quiz).
const (
	MinQuestionPoints Points = 1
	MaxQuestionPoints Points = 5
)

// ErrQuizIllegal refuses the questions of a leg (contest:6.quiz).
var ErrQuizIllegal = &regs.Violation{Ref: "contest:6.quiz", Code: "quiz_illegal"}

// A Quiz holds the questions of a leg in the order of its slip.
type Quiz []Question

// Check returns ErrQuizIllegal if there is no question, an identifier is empty or stands
// twice, a question is not worth 1 to 5 points, or a sub-question does not belong to a
// main question of the same leg (contest:6.quiz knows one level).
func (q Quiz) Check() error {
	if len(q) == 0 {
		return ErrQuizIllegal.With("no question")
	}
	parents := make(map[QuestionID]QuestionID, len(q))
	for _, question := range q {
		if _, twice := parents[question.ID]; twice || question.ID == "" {
			return ErrQuizIllegal.With("question %q is empty or stands twice", question.ID)
		}
		parents[question.ID] = question.Parent
		if question.Points < MinQuestionPoints || question.Points > MaxQuestionPoints {
			return ErrQuizIllegal.With("question %q is worth %d points, not %d to %d",
				question.ID, question.Points, MinQuestionPoints, MaxQuestionPoints)
		}
	}
	for _, question := range q {
		if question.Parent == "" {
			continue
		}
		if above, ok := parents[question.Parent]; !ok || above != "" {
			return ErrQuizIllegal.With("question %q: %q is not a main question of the leg",
				question.ID, question.Parent)
		}
	}
	return nil
}

// Awards returns what each line of a slip earns, one a question: a right answer the
// points of its question, and a right sub-answer its own only if the answer to its
// question is right too (« si de plus », Reading C12). It panics if the lengths differ;
// q must have passed Check.
func (q Quiz) Awards(slip []Answer) []Award {
	if len(slip) != len(q) {
		panic("contest: the slip and the quiz differ in length")
	}
	right := make(map[QuestionID]Rule, len(q))
	for i, question := range q {
		right[question.ID] = question.judge(slip[i])
	}
	awards := make([]Award, len(q))
	for i, question := range q {
		rule := right[question.ID]
		if rule == RightAnswer && question.Parent != "" {
			switch right[question.Parent] {
			case RightAnswer:
				rule = RightSubAnswer
			case NotPlayedYet, VoidFixture:
				rule = right[question.Parent]
			default:
				rule = SubAnswerLost
			}
		}
		awards[i] = Award{Rule: rule}
		if rule == RightAnswer || rule == RightSubAnswer {
			awards[i].Points = question.Points
		}
	}
	return awards
}

// judge returns what an answer to q is by itself, whatever the parent's answer is.
func (q Question) judge(a Answer) Rule {
	switch {
	case q.Void:
		return VoidFixture
	case len(q.Accepted) == 0:
		return NotPlayedYet
	case a == "":
		return EmptyLine
	case slices.Contains(q.Accepted, a):
		return RightAnswer
	default:
		return WrongAnswer
	}
}
