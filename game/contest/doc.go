// Package contest implements the rules of the prediction contests (« concours
// de pronostics »): the points of each type of leg, the rankings, the pots of
// nuggets and how they are shared, the order of special gifts, and the limits in
// time that the regulation counts in days.
//
//	contest:4.slip                when and how a slip may be validated   slip.go, limit.go
//	contest:5, contest:6.names    places of a classification             names.go
//	contest:6.scores              scores of matches                      score.go
//	contest:6.winner              winners of matches                     winner.go
//	contest:6.knockout            last eight of a knockout               knockout.go
//	contest:6.quiz                questions and sub-questions            quiz.go
//	contest:7, contest:10         rankings                               rank.go
//	contest:8, contest:9          pots and shares                        pot.go
//	contest:11                    special gifts                          gift.go
//	contest:12                    orders of the gift shop                gift.go
//	contest:13                    void fixtures, annulled legs           result.go
//	contest:14                    connection costs                       limit.go
//	contest:17                    disputes and corrections               limit.go
//
// Scores, ranks and shares are functions of the slips and of the current results:
// nothing is ever incremented, so a correction computes all of it anew. Registration
// (contest:3, contest:4), the stock of the shop and the sending of gifts belong to
// package internal/app.
//
// The package is pure: it reads no clock, draws no number and does no I/O. Where
// the regulation leaves a choice, the choice is numbered in
// docs/interpretations.md and cited here as "Reading C7". Constants of the regulation
// are the defaults of values that an organizer may set.
package contest
