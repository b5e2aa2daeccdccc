package contestfile

import (
	"cmp"
	"io"
	"slices"

	"boulier/game/contest"
	"boulier/player"
)

// Quiz reads questions and their right answers in the columns question,parent,points,
// answer: one line an accepted answer, parent empty for a main question, points 1 to 5.
// Lines of one question agree on its parent and points, and a parent is a main question
// of the file.
func Quiz(file string, in io.Reader) (contest.Quiz, error) {
	var quiz contest.Quiz
	var firsts []row // the first line of each question
	at, lines := map[contest.QuestionID]int{}, seen[named]{}
	columns := []string{"question", "parent", "points", "answer"}
	err := eachRow(file, in, columns, func(r row) error {
		for cell, column := range columns {
			if column != "parent" {
				if err := r.filled(cell, column); err != nil {
					return err
				}
			}
		}
		points, err := r.whole(2, "points",
			int(contest.MinQuestionPoints), int(contest.MaxQuestionPoints))
		if err != nil {
			return err
		}
		q := contest.Question{
			ID:     contest.QuestionID(r.cells[0]),
			Parent: contest.QuestionID(r.cells[1]),
			Points: contest.Points(points),
		}
		answer := contest.Answer(r.cells[3])
		if err := lines.once(r, named{r.cells[0], r.cells[3]},
			"answer "+r.cells[3]+" to question "+r.cells[0]); err != nil {
			return err
		}
		i, ok := at[q.ID]
		if !ok {
			i = len(quiz)
			at[q.ID], quiz, firsts = i, append(quiz, q), append(firsts, row{file: r.file, line: r.line})
		}
		if quiz[i].Parent != q.Parent || quiz[i].Points != q.Points {
			return r.refuse("question %s has another parent or other points on line %d",
				q.ID, firsts[i].line)
		}
		quiz[i].Accepted = append(quiz[i].Accepted, answer)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, q := range quiz {
		if q.Parent == "" {
			continue
		}
		if above, ok := at[q.Parent]; !ok || quiz[above].Parent != "" {
			return nil, firsts[i].refuse("parent %q is not a main question of the file", q.Parent)
		}
	}
	return quiz, nil
}

// Answers reads predictions in the columns player,question,answer, into slips with one
// line a question of quiz. An answer not given is an empty line.
func Answers(file string, in io.Reader, quiz contest.Quiz) ([]Slip[[]contest.Answer], error) {
	var s slips[[]contest.Answer]
	lines := seen[named]{}
	at := map[contest.QuestionID]int{}
	for i, q := range quiz {
		at[q.ID] = i
	}
	err := eachRow(file, in, []string{"player", "question", "answer"}, func(r row) error {
		if err := r.filled(0, "player"); err != nil {
			return err
		}
		i, ok := at[contest.QuestionID(r.cells[1])]
		if !ok {
			return r.refuse("unknown question %q; it is not in the results", r.cells[1])
		}
		if err := lines.once(r, named{r.cells[0], r.cells[1]},
			"player "+r.cells[0]+" on question "+r.cells[1]); err != nil {
			return err
		}
		slip := s.of(r.cells[0], func() []contest.Answer { return make([]contest.Answer, len(quiz)) })
		(*slip)[i] = contest.Answer(r.cells[2])
		return nil
	})
	return s.all, err
}

// maxPoints bounds the points of a player in a file, far above any real sum.
const maxPoints = 1_000_000_000

// Points reads the points of players in the columns player,points. It returns the players
// sorted by name, and the standing of each: player i of the list is number i + 1.
func Points(file string, in io.Reader) (players []string, standings []contest.Standing, err error) {
	lines := seen[string]{}
	type line struct {
		player string
		points contest.Points
	}
	var all []line
	err = eachRow(file, in, []string{"player", "points"}, func(r row) error {
		if err := r.filled(0, "player"); err != nil {
			return err
		}
		if err := lines.once(r, r.cells[0], "player "+r.cells[0]); err != nil {
			return err
		}
		points, err := r.whole(1, "points", 0, maxPoints)
		all = append(all, line{r.cells[0], contest.Points(points)})
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(all, func(a, b line) int { return cmp.Compare(a.player, b.player) })
	for i, l := range all {
		players = append(players, l.player)
		standings = append(standings, contest.Standing{Player: player.ID(i + 1), Points: l.points})
	}
	return players, standings, nil
}
