package llm

// Role says who a message of the conversation comes from.
type Role string

// Roles of a message.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one entry of the conversation that a model is shown.
type Message struct {
	Role Role
	// Text is the message itself; for a tool message, the result as JSON text.
	Text string
	// Calls are the tool calls of an assistant message, in the order in which
	// the model asked for them.
	Calls []Call
	// CallID names the call that a tool message answers.
	CallID string
	// Name is the tool's name in a tool message.
	Name string
}

// Call is one tool call as the model wrote it. Nothing in it is trusted: the
// tool may not exist and the arguments may not be JSON.
type Call struct {
	// ID is unique within the conversation.
	ID   string
	Name string
	// Arguments is the raw text of a JSON object.
	Arguments []byte
}

// Tool is a tool as it is offered to a model.
type Tool struct {
	Name        string
	Description string
	// Parameters is a JSON Schema (2020-12) of type object.
	Parameters []byte
	// Consequential marks a tool whose effect is hard to undo.
	Consequential bool
	// Write marks a tool that changes something.
	Write bool
}
