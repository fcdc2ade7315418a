package pages

import (
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/session"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/views/chat"
	"github.com/agentstudio/agentstudio/views/ui"
)

// ending returns how a call ended, in words that claim nothing more than its
// envelope says. started is false for a call that the door refused at once.
func ending(p session.Call, started bool) chat.Item {
	envelope, err := toolexec.DecodeEnvelope(p.Result)
	if err != nil {
		return chat.Result{
			Call: p.ID, Tool: p.Name, Mark: ui.Mark{Text: "Unreadable", Tone: ui.Warn}, Line: "What it answered cannot be read.",
		}
	}
	switch {
	case envelope.Status == toolexec.StatusForbidden:
		return chat.Refused{Call: p.ID, Tool: p.Name, Reason: notApproved(envelope), Code: envelope.ErrorCode}
	case envelope.Status == toolexec.StatusError && (!started || envelope.ErrorCode == string(models.CodeApprovalStale)):
		return chat.Refused{Call: p.ID, Tool: p.Name, Reason: envelope.Message, Code: envelope.ErrorCode}
	}
	result := chat.Result{Call: p.ID, Tool: p.Name, Took: milliseconds(p.Took)}
	switch {
	case envelope.Status == toolexec.StatusSuccess:
		result.Mark, result.Line = ui.Mark{Text: "Done", Tone: ui.OK}, line(envelope.Result)
		result.JSON = indented(envelope.Result)
		result.Trimmed = envelope.Truncated != nil && *envelope.Truncated
	case envelope.ErrorCode == string(models.CodeOutcomeUnknown):
		result.Mark, result.Line = ui.Mark{Text: "Outcome unknown", Tone: ui.Warn}, envelope.Message
	default:
		result.Mark, result.Line = ui.Mark{Text: "Failed", Tone: ui.Danger}, envelope.Message
	}
	return result
}

// notApproved says why a write did not run.
func notApproved(envelope toolexec.Envelope) string {
	switch envelope.Reason {
	case string(models.ApprovalDenied):
		return "A person denied this call. Nothing ran."
	case string(models.ApprovalExpired):
		return "Nobody decided in time. Nothing ran."
	case string(models.ApprovalCancelled):
		return "It was cancelled before anybody decided. Nothing ran."
	case string(models.ApprovalStale):
		return "Something it depended on changed after it was asked. Nothing ran."
	case toolexec.ReasonNoApproval:
		return "It changes something, and nobody approved it. Nothing ran."
	default:
		return "It was not approved. Nothing ran."
	}
}
