package hostguide_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentstudio/agentstudio/hosttools"
)

type creditIn struct {
	Tenant   hosttools.TenantID `json:"-"`
	Customer int64              `json:"customer" jsonschema:"id of the customer" minimum:"1"`
	Cents    int64              `json:"cents" jsonschema:"amount in cents" minimum:"1" maximum:"100000"`
}

type creditOut struct {
	Balance int64 `json:"balance" jsonschema:"all credits of the customer, in cents"`
}

func newCredits() (hosttools.Entry, error) {
	return hosttools.Toolkit{
		Prefix: "hd", Title: "Credits", Description: "Grant credits to customers.", Transactional: true,
		Methods: []hosttools.Method{
			hosttools.NewMethod("grant_credit", "Grant a credit to a customer.", grant,
				hosttools.Write(), hosttools.Consequential(), hosttools.Verb("Grant a credit")),
		},
	}, nil
}

func grant(ctx context.Context, in creditIn) (creditOut, error) {
	tx, ok := hosttools.Tx(ctx)
	if !ok {
		return creditOut{}, errors.New("grant a credit: there is no transaction")
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO credits (tenant, customer, cents) VALUES (?, ?, ?)`,
		string(in.Tenant), in.Customer, in.Cents)
	if err != nil {
		return creditOut{}, fmt.Errorf("grant a credit: %w", err)
	}
	var out creditOut
	err = tx.QueryRowContext(ctx, `SELECT sum(cents) FROM credits WHERE tenant = ? AND customer = ?`,
		string(in.Tenant), in.Customer).Scan(&out.Balance)
	return out, err
}
