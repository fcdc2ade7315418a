package store

import (
	"context"
	"log/slog"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// gormConfig makes GORM translate the errors of both databases and keep out of
// transactions, which belong to units.
func gormConfig(log *slog.Logger) *gorm.Config {
	return &gorm.Config{
		Logger:                 statementLogger{log},
		SkipDefaultTransaction: true,
		TranslateError:         true,
	}
}

// statementLogger writes statements to a logger at debug level, without their
// values, which belong to tenants. Errors are returned and logged by callers.
type statementLogger struct{ log *slog.Logger }

func (l statementLogger) LogMode(logger.LogLevel) logger.Interface { return l }

func (statementLogger) Info(context.Context, string, ...any)  {}
func (statementLogger) Warn(context.Context, string, ...any)  {}
func (statementLogger) Error(context.Context, string, ...any) {}

func (l statementLogger) Trace(ctx context.Context, begin time.Time, statement func() (string, int64), err error) {
	if l.log == nil || !l.log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	query, rows := statement()
	l.log.DebugContext(ctx, "statement",
		slog.String("sql", query), slog.Int64("rows", rows),
		slog.Duration("took", time.Since(begin)), slog.Any("error", err))
}

// ParamsFilter keeps values out of the statement that Trace sees.
func (statementLogger) ParamsFilter(_ context.Context, sql string, _ ...any) (string, []any) {
	return sql, nil
}
