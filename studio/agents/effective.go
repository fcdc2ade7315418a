package agents

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"
	"strconv"

	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
	"github.com/agentstudio/agentstudio/studio/toolexec"
)

// layer is what one record sets of a toolkit.
type layer struct {
	params  canon.Value
	secrets map[string]models.SealedSecret
	place   place
}

// effective returns what a toolkit works with: the defaults of the type, then
// the host's, then what the agent's people set, then what the caller set of the
// parameters that are left to them; the last that says something counts.
func (k *kit) effective(settings models.ToolkitSettings, own models.ToolkitOverride) (toolexec.Setting, error) {
	if settings.Slug == "" {
		return k.unset, nil // An override has something to override.
	}
	params, err := read(settings.Params)
	if err != nil {
		return toolexec.Setting{}, fmt.Errorf("settings of %s: %w", settings.Slug, err)
	}
	layers := []layer{{params: params, secrets: settings.Secrets, place: placeOf(settings)}}
	if own.Slug != "" {
		applied, _, err := k.applied(settings, own)
		if err != nil {
			return toolexec.Setting{}, err
		}
		layers = append(layers, applied)
	}
	setting, err := k.combine(layers...)
	setting.Stored, setting.Version = true, versionOf(settings, own)
	return setting, err
}

// applied returns what counts of an override, and the names of what does not,
// because it is no longer left to each user.
func (k *kit) applied(settings models.ToolkitSettings, own models.ToolkitOverride) (layer, []string, error) {
	params, err := read(own.Params)
	if err != nil {
		return layer{}, nil, fmt.Errorf("override of %s: %w", own.Slug, err)
	}
	overridable := k.overridable(settings.UserOverridable)
	result := layer{secrets: map[string]models.SealedSecret{}, place: placeOfOwn(own)}
	ignored := []string{}
	var kept []canon.Member
	for _, member := range params.Members() {
		if slices.Contains(overridable, member.Name) && !k.secret(member.Name) {
			kept = append(kept, member)
			continue
		}
		ignored = append(ignored, member.Name)
	}
	for name, sealed := range own.Secrets {
		if slices.Contains(overridable, name) && k.secret(name) {
			result.secrets[name] = sealed
			continue
		}
		ignored = append(ignored, name)
	}
	slices.Sort(ignored)
	result.params, err = canon.ObjectOf(kept...)
	return result, ignored, err
}

// combine lays the layers over the defaults and checks the result. When all that
// is wrong is that something is missing, the result has what there is: choices
// can be computed from it.
func (k *kit) combine(layers ...layer) (toolexec.Setting, error) {
	members, secrets := slices.Clone(k.defaults), map[string]toolexec.SealedSecret{}
	var issues []schema.Issue
	for _, l := range layers {
		for _, member := range l.params.Members() {
			param, known := k.config.Param(member.Name)
			switch {
			case !known:
				issues = append(issues, issue(member.Name, "is not known any more"))
			case !param.Secret && !param.Managed():
				members = put(members, member)
			}
		}
		for name, sealed := range l.secrets {
			if k.secret(name) {
				secrets[name] = toolexec.SealedSecret{SealedSecret: sealed, Bound: l.place.of(name, sealed.ID)}
			}
		}
	}
	object, err := canon.ObjectOf(members...)
	if err != nil {
		return toolexec.Setting{}, fmt.Errorf("configuration of %s: %w", k.group.Slug, err)
	}
	normal, unfit := k.whole.Normalise(object)
	if issues = append(issues, unfit...); len(issues) > 0 {
		return toolexec.Setting{Issues: issues}, nil
	}
	issues = k.missing(func(name string) bool {
		_, plain := object.Get(name)
		_, secret := secrets[name]
		return plain || secret
	})
	params, err := canon.Bytes(normal)
	return toolexec.Setting{Params: slices.Clip(params), Secrets: secrets, Issues: issues}, err
}

// put replaces the member of the same name, or adds it.
func put(members []canon.Member, member canon.Member) []canon.Member {
	for i := range members {
		if members[i].Name == member.Name {
			members[i] = member
			return members
		}
	}
	return append(members, member)
}

// read parses params as they are stored.
func read(params string) (canon.Value, error) {
	value, err := canon.Parse([]byte(params))
	if err == nil && value.Kind() != canon.KindObject {
		err = fmt.Errorf("the stored params are %s", value.Kind())
	}
	return value, err
}

// versionOf names the stored configuration: it differs whenever either record
// has changed, be it only in a secret.
func versionOf(settings models.ToolkitSettings, own models.ToolkitOverride) string {
	h := sha256.New()
	add(h, settings.AgentID, settings.Params, strconv.Itoa(settings.Revision),
		strconv.FormatInt(int64(settings.UpdatedAt), 10), strconv.Itoa(len(settings.UserOverridable)))
	add(h, settings.UserOverridable...)
	addSecrets(h, settings.Secrets)
	add(h, own.UserID, own.Params, strconv.Itoa(own.Revision), strconv.FormatInt(int64(own.UpdatedAt), 10))
	addSecrets(h, own.Secrets)
	return hex.EncodeToString(h.Sum(nil))
}

func addSecrets(h hash.Hash, secrets map[string]models.SealedSecret) {
	add(h, strconv.Itoa(len(secrets)))
	for _, name := range slices.Sorted(maps.Keys(secrets)) {
		add(h, name, secrets[name].ID)
	}
}

// add hashes fields, each after its length, so that no two lists look the same.
func add(h hash.Hash, fields ...string) {
	for _, text := range fields {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(text)))
		_, _ = h.Write(length[:])
		_, _ = h.Write([]byte(text))
	}
}
