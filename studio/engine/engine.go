package engine

import (
	"context"
	"log/slog"
	"time"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/policy"
	"github.com/agentstudio/agentstudio/studio/approval"
	"github.com/agentstudio/agentstudio/studio/llm"
	"github.com/agentstudio/agentstudio/studio/review"
	"github.com/agentstudio/agentstudio/studio/session"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// Store is what the engine needs of the database. Every method but the units
// needs a unit of work in its context.
type Store interface {
	Read(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error
	Write(ctx context.Context, p tenancy.Partition, fn func(ctx context.Context) error) error
	Now(ctx context.Context) (models.Instant, error)

	AgentByID(ctx context.Context, id string) (models.Agent, error)
	AgentVersion(ctx context.Context, agentID string, number int) (models.AgentVersion, error)
	Session(ctx context.Context, id string) (models.ChatSession, error)
	RenameSession(ctx context.Context, id, title string) error

	CreateTurn(ctx context.Context, t models.Turn) error
	Turn(ctx context.Context, id string) (models.Turn, error)
	OpenTurn(ctx context.Context, sessionID string) (models.Turn, bool, error)
	OpenTurnsOf(ctx context.Context, agentID string) ([]models.Turn, error)
	TurnsOf(ctx context.Context, sessionID string) ([]models.Turn, error)
	LeaseTurn(ctx context.Context, id string, d time.Duration) (models.Turn, bool, error)
	RenewTurn(ctx context.Context, id string, epoch int64, d time.Duration) (bool, error)
	SaveTurn(ctx context.Context, t models.Turn) error
	CancelTurn(ctx context.Context, id string) (bool, error)

	CreateCalls(ctx context.Context, calls []models.Call) error
	CallsOf(ctx context.Context, turnID string) ([]models.Call, error)
	CallsOfSession(ctx context.Context, sessionID string) ([]models.Call, error)
	Call(ctx context.Context, id string) (models.Call, error)
	UpdateCall(ctx context.Context, c models.Call, from models.CallState) (bool, error)

	Approval(ctx context.Context, id string) (models.Approval, error)
}

// Queue is the background work that the engine asks for, in its transaction.
type Queue interface {
	AdvanceTurn(ctx context.Context, p tenancy.Partition, turnID string) error
}

// Door is the first half of the one door for tool calls.
type Door interface {
	Prepare(ctx context.Context, request toolexec.Request) (*toolexec.Prepared, error)
}

// Runner is its second half.
type Runner interface {
	Read(ctx context.Context, call *toolexec.Prepared) (toolexec.Envelope, error)
	Approved(ctx context.Context, a models.Approval) (toolexec.Envelope, error)
}

// Approvals is what the engine asks of approvals, inside of its units.
type Approvals interface {
	Ask(ctx context.Context, call *toolexec.Prepared, in approval.Context) (models.Approval, error)
	CancelTurn(ctx context.Context, turnID, reason string) error
}

// Log is where everything a person sees is written.
type Log interface {
	Append(ctx context.Context, turn models.Turn, payloads ...session.Payload) error
	Say(ctx context.Context, turn models.Turn, source models.EventSource, message session.Message) error
}

// Config is what an [Engine] needs.
type Config struct {
	Store     Store
	Queue     Queue
	Door      Door
	Runner    Runner
	Approvals Approvals
	Log       Log
	Registry  *hosttools.Registry
	Tooling   policy.Frozen
	Resolver  tenancy.Resolver
	Reviewer  review.Reviewer
	// Models are the models that agents may name.
	Models map[string]llm.Model
	Logger *slog.Logger
}

// Limits of a turn.
const (
	leaseFor   = 30 * time.Second // renewed as long as the execution lives
	renewEvery = leaseFor / 3
	maxSteps   = 8     // after them the turn gives up
	maxCalls   = 8     // in one step
	maxMessage = 8_000 // characters of one message
	maxTitle   = 60    // characters of a conversation's title
	maxTurns   = 50    // of a conversation, that a model is shown

	maxFailures = 3 // executions of one turn that may end in an error
)

// next says how a turn goes on after a stage.
type next int

const (
	goOn    next = iota // with the next stage
	again               // with the first stage of a step
	suspend             // when a person has decided
	end                 // not at all: it has ended
)

// stage is one stage of a turn.
type stage struct {
	name string
	do   func(*run, context.Context) (next, error)
}

// Engine answers messages.
type Engine struct {
	Config
	begin []stage // once in a turn
	step  []stage // for each step

	schemas *schemas
}

// New returns an engine.
func New(c Config) *Engine {
	return &Engine{
		Config:  c,
		schemas: &schemas{logger: c.Logger},
		begin: []stage{
			{"match", (*run).match},
			{"select", (*run).selectTools},
		},
		step: []stage{
			{"propose", (*run).propose},
			{"review", (*run).review},
			{"ask", (*run).ask},
			{"execute", (*run).execute},
			{"fold", (*run).fold},
		},
	}
}
