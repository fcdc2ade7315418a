package hosttoolstest

import (
	"context"
	"fmt"
	"strings"
)

// secretMark is what the door leaves in the place of a secret.
const secretMark = "[secret removed]"

// secrets reports a method whose results or errors hold a configured secret, or
// what looks like a token, a key, or a connection string with a password.
func (s *suite) secrets(ctx context.Context, t *tool) []problem {
	if !s.runs(ctx, t) {
		return nil
	}
	instance, err := s.constructed(ctx, t.kit)
	if err != nil {
		return nil
	}
	for _, tenant := range s.tenants {
		c := s.ordinaryCall(ctx, t, tenant)
		where := c.secretIn(instance.Secrets())
		if where != "" {
			return []problem{{
				fmt.Sprintf("For the tenant %s a secret is in its %s.", tenant, where),
				"Return only what the caller asked for, and name no secret in an error; " +
					"the Studio takes secrets out of results, and cannot know them all.",
			}}
		}
	}
	return nil
}

// secretIn says where a call shows a secret, "" where it shows none.
func (c call) secretIn(known []string) string {
	if metadata := c.envelope.Metadata; metadata != nil && metadata.SecretsRemoved > 0 {
		return "result"
	}
	if strings.Contains(c.envelope.Message, secretMark) {
		return "message"
	}
	for _, secret := range known {
		if strings.Contains(c.causes, secret) {
			return "error, which goes to the log"
		}
	}
	return ""
}
