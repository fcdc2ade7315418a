package identity

import "github.com/agentstudio/agentstudio/models"

// reasonMembershipLost is details.reason where a user is no member of the
// tenant, or no longer.
const reasonMembershipLost = "membership_lost"

func unauthenticated(sentence string) *models.Error {
	return models.Errorf(models.CodeUnauthenticated, "%s", sentence)
}

// signInAgain is the one answer for every cookie that does not count, so that
// it tells nothing about why; the cause is for the log.
func signInAgain(cause error) *models.Error {
	return unauthenticated("You are not signed in, or no longer. Sign in again.").Because(cause)
}

func membershipLost() *models.Error {
	return models.Errorf(models.CodePermissionDenied,
		"This person is not a member of the tenant, or no longer. Ask an admin of the tenant to add them.").
		Reason(reasonMembershipLost)
}

func absent(err error) bool { return models.CodeOf(err) == models.CodeNotFound }
