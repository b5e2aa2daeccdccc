package loto

import (
	"slices"

	"boulier/game/ninety"
)

// Apply returns the session after an event. Events come from the methods that decide, so
// nothing is checked again.
func (s Session) Apply(e Event) Session {
	switch e := e.(type) {
	case Planned:
		s.Plan = e.Plan
	case Pictured:
		s.Plan = s.Plan.pictured(e)
	case DayOpened:
		s.Phase, s.Commitments, s.Ties, s.Day = Opening, e.Commitments, e.Ties, s.Day+1
	case SaleOpened:
		s.Phase = Open
	case RulesRecalled:
		s.Recalled = true
	case ControlTaken:
		s.Caller = e.Caller
	case RoundOpened:
		s.Play = Play{Round: e.Round, Mode: Drawing, Salt: e.Salt, Cards: e.Cards}
		s.Upto = e.Upto
	case RoundClosed:
		p := s.Play
		s.Results = append(slices.Clip(s.Results),
			Result{p.Round, p.Salt, p.Cards, p.Calls, p.Won, e.Reason})
		s.Play = Play{}
	case Paused:
		s.Pause = Pause(e)
	case PauseEnded:
		s.Pause = Pause{}
	case DisputeDecided:
		s.Disputes++
	case PersonExcluded, ExclusionExplained: // the stocks hold the cards
	case DayPostponed:
		s.Plan.Doors, s.Plan.Start, s.Plan.Breaks = e.Doors, e.Start, moved(s.Plan, e)
		s.Phase, s.Recalled, s.Pause = Planning, false, Pause{}
	case DayClosed:
		s.Phase = Closed
	default:
		s.Play = s.Play.apply(e, len(s.Plan.Rounds[s.Play.Round-1].Prizes))
	}
	return s
}

// moved returns the breaks of a plan after it was postponed: as far from the start as before.
func moved(p Plan, e DayPostponed) (breaks []Break) {
	for _, b := range p.Breaks {
		b.At = b.At.Add(e.Start.Sub(p.Start))
		breaks = append(breaks, b)
	}
	return breaks
}

// apply is Apply for what happens inside a round of so many prizes.
func (p Play) apply(e Event, prizes int) Play {
	switch e := e.(type) {
	case BallCalled:
		p.Calls, p.Repeat, p.Wrong = append(slices.Clip(p.Calls), e.Ball), 0, nil
	case CallCorrected:
		p = p.corrected(e.Ball)
	case CallRepeated:
		p.Repeat++
	case DrawStopped:
		p.Mode, p.Claims, p.Wrong = Stopped, nil, nil
	case DrawResumed:
		p.Mode, p.Claims = Drawing, nil
	case ClaimsRejected:
		p.Mode, p.Wrong, p.Claims = Drawing, p.Claims, nil
	case ClaimMade:
		p.Claims = append(slices.Clip(p.Claims), e.Claim)
	case CheckBegan:
		p.Mode = Checking
	case ClaimChecked:
		p.Claims = slices.Clone(p.Claims)
		p.Claims[e.Claim].Checked, p.Claims[e.Claim].Verdict = true, e.Verdict
	case TieFound:
		p.Mode, p.Tie = Tied, e.Tie
	case ShareAnswered:
		p.Tie.Asked = false
		if !e.Agreed {
			p.Tie.Keep = 1
		}
	case TokenDrawn:
		p.Tie.Tokens = append(slices.Clip(p.Tie.Tokens), e.Token)
	case PrizeAwarded:
		p.Mode, p.Awards, p.How = Awarding, e.Awards, e.How
	case PrizeHandedOver:
		p = p.handedOver(prizes)
	}
	return p
}

// corrected replaces or takes back the last number. Verdicts that were given on it are
// void: the claims stay, and the check begins again.
func (p Play) corrected(b ninety.Ball) Play {
	p.Calls = slices.Clone(p.Calls[:len(p.Calls)-1])
	if b != 0 {
		p.Calls = append(p.Calls, b)
	}
	p.Repeat = 0
	if p.Mode == Checking {
		p.Mode = Stopped
	}
	p.Claims = slices.Clone(p.Claims)
	for i := range p.Claims {
		p.Claims[i].Checked, p.Claims[i].Verdict = false, Verdict{}
	}
	return p
}

// handedOver ends the stage.
func (p Play) handedOver(prizes int) Play {
	p.Won = append(slices.Clip(p.Won), Won{p.Prize, len(p.Calls), p.How, p.Awards, p.Tie})
	p.Claims, p.Tie, p.Awards, p.How = nil, Tie{}, nil, ""
	p.Mode = Over
	if p.Prize+1 < prizes {
		p.Prize++
		p.Mode = Drawing
	}
	return p
}

// Replay returns the session after events.
func Replay(events []Event) (s Session) {
	for _, e := range events {
		s = s.Apply(e)
	}
	return s
}
