package canon

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// MaxDepth is how deep arrays and objects may be nested.
	MaxDepth = 64
	// MaxBytes is the size of the largest text, read or written.
	MaxBytes = 1 << 20
)

// Parse reads data, which must be exactly one JSON value of at most [MaxBytes]
// and [MaxDepth]. The value keeps nothing of data. Every refusal is an
// [*Error] and names the first fault in the text.
func Parse(data []byte) (Value, error) {
	if len(data) > MaxBytes {
		return Value{}, &Error{Reason: ReasonTooLarge, Offset: MaxBytes}
	}
	p := parser{
		src: string(data),
		// The parser compares names itself, more strictly.
		dec: jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true)),
	}
	v, err := p.value()
	if err != nil {
		return Value{}, err
	}
	end := int(p.dec.InputOffset())
	if rest := strings.TrimLeft(p.src[end:], " \t\r\n"); rest != "" {
		return Value{}, &Error{Reason: ReasonTrailingData, Offset: len(p.src) - len(rest)}
	}
	return v, nil
}

// parser turns the tokens of dec into values. Strings and literals are parts
// of src wherever they can be.
type parser struct {
	src string
	dec *jsontext.Decoder
	// The children of arrays and objects that are still open, outermost first.
	items   []Value
	members []Member
}

func (p *parser) value() (Value, error) {
	switch p.dec.PeekKind() {
	case jsontext.KindString:
		content, _, err := p.str()
		return String(content), err
	case jsontext.KindNumber:
		literal, _, err := p.scalar()
		return Value{kind: KindNumber, text: literal}, err
	case jsontext.KindBeginArray:
		return p.array()
	case jsontext.KindBeginObject:
		return p.object()
	default:
		return p.word()
	}
}

// word reads null, true or false, and reports whatever else is there.
func (p *parser) word() (Value, error) {
	token, err := p.dec.ReadToken()
	if err != nil {
		return Value{}, p.explain(err)
	}
	if token.Kind() == jsontext.KindNull {
		return Null(), nil
	}
	return Bool(token.Kind() == jsontext.KindTrue), nil
}

func (p *parser) array() (Value, error) {
	if err := p.open(); err != nil {
		return Value{}, err
	}
	base := len(p.items)
	for p.dec.PeekKind() != jsontext.KindEndArray {
		item, err := p.value()
		if err != nil {
			return Value{}, err
		}
		p.items = append(p.items, item)
	}
	items := slices.Clone(p.items[base:])
	p.items = p.items[:base]
	return newArray(items), p.close()
}

func (p *parser) object() (Value, error) {
	if err := p.open(); err != nil {
		return Value{}, err
	}
	var seen nameSet
	base := len(p.members)
	for p.dec.PeekKind() != jsontext.KindEndObject {
		name, err := p.name(&seen, p.members[base:])
		if err != nil {
			return Value{}, err
		}
		value, err := p.value()
		if err != nil {
			return Value{}, err
		}
		p.members = append(p.members, Member{Name: name, Value: value})
	}
	members := slices.Clone(p.members[base:])
	p.members = p.members[:base]
	return newObject(members), p.close()
}

// open reads the bracket that begins an array or object.
func (p *parser) open() error {
	if _, err := p.dec.ReadToken(); err != nil {
		return p.explain(err)
	}
	if p.dec.StackDepth() > MaxDepth {
		return p.fail(ReasonTooDeep, int(p.dec.InputOffset())-1)
	}
	return nil
}

// close reads the bracket that ends an array or object.
func (p *parser) close() error {
	if _, err := p.dec.ReadToken(); err != nil {
		return p.explain(err)
	}
	return nil
}

// name reads the name of the member that follows the earlier ones.
func (p *parser) name(seen *nameSet, earlier []Member) (string, error) {
	name, start, err := p.str()
	if err != nil {
		return "", err
	}
	if reason := seen.add(name, earlier); reason != "" {
		return "", p.fail(reason, start)
	}
	return name, nil
}

// str reads a string and returns its content and where it starts in src.
func (p *parser) str() (content string, start int, err error) {
	quoted, start, err := p.scalar()
	if err != nil {
		return "", 0, err
	}
	if !strings.Contains(quoted, `\`) {
		return quoted[1 : len(quoted)-1], start, nil
	}
	unquoted, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil {
		return "", 0, p.fail(ReasonSyntax, start)
	}
	return string(unquoted), start, nil
}

// scalar reads a string or number and returns its text and where it starts in
// src.
func (p *parser) scalar() (text string, start int, err error) {
	raw, err := p.dec.ReadValue()
	if err != nil {
		return "", 0, p.explain(err)
	}
	end := int(p.dec.InputOffset())
	start = end - len(raw)
	return p.src[start:end], start, nil
}

// fail refuses the token that was read last and starts at offset.
func (p *parser) fail(reason Reason, offset int) error {
	return &Error{Reason: reason, Offset: offset, Pointer: string(p.dec.StackPointer())}
}

// explain gives an error of the decoder one of our reasons.
func (p *parser) explain(err error) error {
	if errors.Is(err, io.EOF) {
		return &Error{Reason: ReasonEmpty}
	}
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return p.fail(ReasonSyntax, int(p.dec.InputOffset()))
	}
	offset := min(int(syntax.ByteOffset), len(p.src))
	return &Error{
		Reason:  reasonAt(p.src[offset:]),
		Offset:  offset,
		Pointer: string(syntax.JSONPointer),
	}
}

// reasonAt says why the decoder stopped before rest.
func reasonAt(rest string) Reason {
	if r, size := utf8.DecodeRuneInString(rest); r == utf8.RuneError && size == 1 {
		return ReasonInvalidUTF8
	}
	if len(rest) >= 6 && rest[:2] == `\u` {
		unit, err := strconv.ParseUint(rest[2:6], 16, 16)
		if err == nil && utf16.IsSurrogate(rune(unit)) {
			return ReasonLoneSurrogate
		}
	}
	return ReasonSyntax
}
