package app

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"boulier/game/contest"
	"boulier/ledger"
	"boulier/player"
	"boulier/regs"
)

// A GiftID identifies a gift of the shop, an OrderID an order for one.
type (
	GiftID  int64
	OrderID int64
)

// A ShopGift is a gift of the shop with its price, in nuggets and never in money
// (contest:12).
type ShopGift struct {
	ID        GiftID          `json:"id"`
	Title     string          `json:"title"`
	Text      string          `json:"text,omitempty"`
	Price     contest.Nuggets `json:"price"` // in hundredths
	Stock     int             `json:"stock"`
	Withdrawn bool            `json:"withdrawn,omitempty"`
	Picture   string          `json:"picture,omitempty"` // digest of its picture
}

// The statuses of an order, in order.
const (
	OrderPlaced    = "placed"
	OrderProved    = "proved" // identity and address are proved (contest:4.identity)
	OrderSent      = "sent"
	OrderCancelled = "cancelled" // the nuggets were given back
)

// A GiftOrder is a player's order for a gift, at the price that was shown (Reading C22).
type GiftOrder struct {
	ID     OrderID         `json:"id"`
	Player player.ID       `json:"player"`
	Gift   GiftID          `json:"gift"`
	Title  string          `json:"title"`
	Price  contest.Nuggets `json:"price"`
	At     time.Time       `json:"at"`
	Status string          `json:"status"`
}

const (
	nextGift  counter = "next/contest_gift"
	nextOrder counter = "next/contest_order"

	giftPrefix     = "contest/gift/"
	orderPrefix    = "contest/order/"
	deliveryPrefix = "contest/delivery/"
)

func giftCell(id GiftID) Cell[ShopGift] {
	return Cell[ShopGift](giftPrefix + strconv.FormatInt(int64(id), 10))
}

func orderCell(id OrderID) Cell[GiftOrder] {
	return Cell[GiftOrder](orderPrefix + strconv.FormatInt(int64(id), 10))
}

// deliveryCell keeps where an order goes: personal, so it is no event and can be removed.
func deliveryCell(id OrderID) Cell[string] {
	return Cell[string](deliveryPrefix + strconv.FormatInt(int64(id), 10))
}

// The refusals of the shop.
var (
	ErrGiftUnknown  = &regs.Violation{Ref: "contest:12", Code: "gift_unknown"}
	ErrGiftGone     = &regs.Violation{Ref: "contest:12", Code: "gift_gone"}
	ErrGiftPrice    = &regs.Violation{Ref: "contest:12", Code: "gift_price"}
	ErrNoConsent    = &regs.Violation{Ref: "contest:16", Code: "gift_given_up"}
	ErrNotProved    = &regs.Violation{Ref: "contest:4.identity", Code: "identity_unproved"}
	ErrOrderUnknown = &regs.Violation{Ref: "contest:12", Code: "order_unknown"}
	ErrOrderState   = &regs.Violation{Ref: "contest:12", Code: "order_state"}
)

// A GiftChange is a manager's order about a gift of the shop; without an ID it is a new one.
// Prices change and gifts are withdrawn without notice (contest:12).
type GiftChange struct {
	Request RequestID
	By      player.ID
	Gift    ShopGift
}

// SetGift puts a gift in the shop, or changes one.
func (c *Contests) SetGift(ctx context.Context, o GiftChange) (GiftID, error) {
	if o.Gift.Title == "" || o.Gift.Price < 1 || o.Gift.Price > 1_000_000*contest.Nugget || o.Gift.Stock < 0 {
		return 0, ErrGiftPrice.With("%q at %s, %d in stock", o.Gift.Title, o.Gift.Price, o.Gift.Stock)
	}
	request := NewRequest(o.Request, "person/"+o.By.String(), "contest/shop", o.Gift)
	return again(func() (GiftID, error) {
		id := o.Gift.ID
		if id == 0 {
			last, _, err := nextGift.Read(ctx, c.Store)
			if err != nil {
				return 0, err
			}
			id = GiftID(last + 1)
		}
		keys := Keys{Request: request, States: []string{string(nextGift), string(giftCell(id)), string(standingOf(o.By))}}
		return Do(ctx, c.Store, keys, func(tx Tx) (GiftID, error) {
			if err := requireBy(tx, o.By, ManageGames); err != nil {
				return 0, err
			}
			was, err := giftCell(id).Get(tx)
			if err != nil {
				return 0, err
			}
			if o.Gift.ID == 0 {
				if n, err := next(tx, nextGift); err != nil || GiftID(n) != id {
					return 0, moved(err)
				}
			} else if was.ID == 0 {
				return 0, ErrGiftUnknown.With("gift %d", id)
			}
			is := o.Gift
			is.ID, is.Picture = id, was.Picture
			giftCell(id).Put(tx, is)
			return id, giftCell(id).Append(tx, "gift_set", struct {
				ShopGift
				By player.ID `json:"by"`
			}{is, o.By})
		})
	})
}

// Gifts returns the gifts of the shop; withdrawn ones too if all.
func (c *Contests) Gifts(ctx context.Context, all bool) ([]ShopGift, error) {
	list, err := readCells[ShopGift](ctx, c.Store, giftPrefix)
	var out []ShopGift
	for _, g := range list {
		if all || !g.Withdrawn {
			out = append(out, g)
		}
	}
	return out, err
}

// An Acquisition is a player's wish for a gift.
type Acquisition struct {
	Request  RequestID
	Player   player.ID
	Gift     GiftID
	Shown    contest.Nuggets // the price that the player saw
	Delivery string          // name and postal address
	Publish  bool            // first name, name and town may be published (contest:16)
}

// Acquire orders a gift: the price shown is taken from the free nuggets, and one leaves the
// stock (contest:12, Reading C22).
func (c *Contests) Acquire(ctx context.Context, a Acquisition) (OrderID, error) {
	if !a.Publish {
		return 0, ErrNoConsent.With("the player refuses to be named")
	}
	request := NewRequest(a.Request, "person/"+a.Player.String(), "contest/acquire", []any{a.Gift, a.Shown})
	return again(func() (OrderID, error) {
		last, _, err := nextOrder.Read(ctx, c.Store)
		if err != nil {
			return 0, err
		}
		id := OrderID(last + 1)
		keys := Keys{Request: request, Accounts: []ledger.Path{freeNuggets(a.Player), houseSpent},
			States: []string{string(nextOrder), string(orderCell(id)), string(deliveryCell(id)),
				string(giftCell(a.Gift)), string(standingOf(a.Player))}}
		return Do(ctx, c.Store, keys, func(tx Tx) (OrderID, error) { return id, acquire(tx, a, id) })
	})
}

func acquire(tx Tx, a Acquisition, id OrderID) error {
	if err := requireBy(tx, a.Player, Predict); err != nil {
		return err
	}
	gift, err := giftCell(a.Gift).Get(tx)
	if err != nil {
		return err
	}
	if gift.ID == 0 || gift.Withdrawn || gift.Stock < 1 {
		return ErrGiftGone.With("gift %d", a.Gift)
	}
	account, err := tx.Account(freeNuggets(a.Player))
	if err != nil {
		return err
	}
	if err := contest.CheckOrder(a.Shown, gift.Price, contest.Nuggets(account.Balance)); err != nil {
		return err
	}
	if n, err := next(tx, nextOrder); err != nil || OrderID(n) != id {
		return moved(err)
	}
	ref := fmt.Sprintf("order/%d", id)
	if err := postNuggets(tx, "gift", ref, freeNuggets(a.Player), houseSpent, int64(gift.Price)); err != nil {
		return err
	}
	gift.Stock--
	giftCell(gift.ID).Put(tx, gift)
	order := GiftOrder{id, a.Player, gift.ID, gift.Title, gift.Price, tx.Now(), OrderPlaced}
	orderCell(id).Put(tx, order)
	deliveryCell(id).Put(tx, a.Delivery)
	return orderCell(id).Append(tx, "gift_ordered", order)
}

// An OrderStep is a manager's next step with an order.
type OrderStep struct {
	Request RequestID
	By      player.ID
	Order   OrderID
	Status  string
}

// Step takes an order on: proved, then sent, or cancelled, which gives nuggets and gift
// back. Nothing is sent before identity and address are proved (contest:4.identity).
func (c *Contests) Step(ctx context.Context, s OrderStep) error {
	order, _, err := orderCell(s.Order).Read(ctx, c.Store)
	if err != nil {
		return err
	}
	if order.ID == 0 {
		return ErrOrderUnknown.With("order %d", s.Order)
	}
	keys := Keys{Request: NewRequest(s.Request, "person/"+s.By.String(), "contest/order", []any{s.Order, s.Status}),
		Accounts: []ledger.Path{freeNuggets(order.Player), houseSpent},
		States:   []string{string(orderCell(s.Order)), string(giftCell(order.Gift)), string(standingOf(s.By))}}
	_, err = Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, s.By, ManageGames); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, step(tx, s)
	})
	return err
}

func step(tx Tx, s OrderStep) error {
	order, err := orderCell(s.Order).Get(tx)
	if err != nil {
		return err
	}
	switch {
	case s.Status == OrderSent && order.Status == OrderPlaced:
		return ErrNotProved.With("order %d", s.Order)
	case s.Status == OrderProved && order.Status == OrderPlaced, s.Status == OrderSent && order.Status == OrderProved:
	case s.Status == OrderCancelled && (order.Status == OrderPlaced || order.Status == OrderProved):
		if err := postNuggets(tx, "gift_back", fmt.Sprintf("order/%d", s.Order), houseSpent,
			freeNuggets(order.Player), int64(order.Price)); err != nil {
			return err
		}
		gift, err := giftCell(order.Gift).Get(tx)
		if err != nil {
			return err
		}
		gift.Stock++
		giftCell(order.Gift).Put(tx, gift)
	default:
		return ErrOrderState.With("%s after %s", s.Status, order.Status)
	}
	order.Status = s.Status
	orderCell(s.Order).Put(tx, order)
	return orderCell(s.Order).Append(tx, "order_"+s.Status, struct {
		By player.ID `json:"by"`
	}{s.By})
}

// Orders returns all orders, oldest first; those of one player unless who is 0.
func (c *Contests) Orders(ctx context.Context, who player.ID) ([]GiftOrder, error) {
	all, err := readCells[GiftOrder](ctx, c.Store, orderPrefix)
	var out []GiftOrder
	for _, o := range all {
		if who == 0 || o.Player == who {
			out = append(out, o)
		}
	}
	return out, err
}

// Delivery returns where an order goes; empty once the player's data were removed.
func (c *Contests) Delivery(ctx context.Context, id OrderID) (string, error) {
	d, _, err := deliveryCell(id).Read(ctx, c.Store)
	return d, err
}
