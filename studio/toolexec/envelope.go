package toolexec

import (
	"encoding/json"
	"fmt"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Status is how a call ended, as models and programs see it.
type Status string

// The statuses.
const (
	StatusSuccess   Status = "success"
	StatusError     Status = "error"
	StatusForbidden Status = "forbidden" // not approved: nothing was written
)

// Envelope is what a model and a program are told of a call.
type Envelope struct {
	Status    Status          `json:"status"`
	Result    json.RawMessage `json:"result,omitempty"`
	Truncated *bool           `json:"truncated,omitempty"`
	ErrorCode string          `json:"error_code,omitempty"`
	Message   string          `json:"message,omitempty"`
	Reason    string          `json:"reason,omitempty"`
	Metadata  *Metadata       `json:"metadata,omitempty"`
}

// Metadata says more about a call that succeeded.
type Metadata struct {
	Tool           string `json:"tool"`
	SecretsRemoved int    `json:"secrets_removed,omitempty"`
}

// Encode returns the envelope as JSON. The result, which is JSON already, is
// copied as it is.
func (e Envelope) Encode() ([]byte, error) {
	result := e.Result
	e.Result = nil
	encoded, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("encode an envelope: %w", err)
	}
	if result == nil {
		return encoded, nil
	}
	whole := make([]byte, 0, len(encoded)+len(result)+len(`,"result":`))
	whole = append(whole, encoded[:len(encoded)-1]...)
	whole = append(whole, `,"result":`...)
	whole = append(whole, result...)
	return append(whole, '}'), nil
}

// DecodeEnvelope reads an envelope that [Envelope.Encode] wrote.
func DecodeEnvelope(encoded []byte) (Envelope, error) {
	var e Envelope
	if err := json.Unmarshal(encoded, &e); err != nil {
		return Envelope{}, fmt.Errorf("decode an envelope: %w", err)
	}
	return e, nil
}

func succeeded(result []byte, truncated bool, metadata Metadata) Envelope {
	return Envelope{Status: StatusSuccess, Result: result, Truncated: &truncated, Metadata: &metadata}
}

// Failed returns the envelope of a call that was refused or failed. Errors
// that are not ours get general words.
func Failed(err error) Envelope {
	code, message := models.CodeInternal, "Something went wrong inside the Studio. Nothing more is known."
	if e, ok := asError(err); ok {
		code, message = e.Code, e.Message
	}
	e := Envelope{
		Status: StatusError, ErrorCode: string(code), Message: message, Reason: models.ReasonOf(err),
	}
	if code == models.CodeConfirmationRequired {
		e.Status = StatusForbidden
	}
	return e
}

// NotApproved returns the envelope of a write that was not approved. reason is
// no_approval, denied, expired, cancelled or stale; words are the person's.
func NotApproved(reason, words string) Envelope {
	return Envelope{
		Status: StatusForbidden, ErrorCode: string(models.CodeConfirmationRequired), Reason: reason, Message: words,
	}
}

// RefusedByScope reports whether the envelope is a structured refusal of the
// scope gate, and why.
func (e Envelope) RefusedByScope() (tenancy.Refusal, bool) {
	if e.ErrorCode != string(models.CodeToolScopeUnavailable) {
		return "", false
	}
	return tenancy.Refusal(e.Reason), true
}
