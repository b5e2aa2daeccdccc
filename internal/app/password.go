package app

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
)

// The cost of a password: 19 MiB, two passes, one lane.
const (
	argonMemory  = 19 * 1024 // KiB
	argonTime    = 2
	argonLanes   = 1
	argonKeySize = 32
)

// hashing bounds how many passwords are hashed at once, for each takes 19 MiB.
var hashing = make(chan struct{}, 2)

// HashPassword returns the password under argon2id with a fresh salt, in the PHC form.
func HashPassword(entropy func([]byte), password string) (string, error) {
	salt := make([]byte, 16)
	entropy(salt)
	return hashPassword(salt, password)
}

// A givenPassword is a password that a request gives somebody.
type givenPassword struct {
	request Request
	hash    string // in the PHC form
}

// givePassword returns the request that gives a password. The salt is that of the request,
// which is made once: so the request repeated gives the same hash, and the hash can be among
// what is asked, where another password under the same identifier is refused. The password
// itself stands nowhere.
func givePassword(id RequestID, actor, action, password string, params ...any) (givenPassword, error) {
	if utf8.RuneCountInString(password) < MinPassword {
		return givenPassword{}, ErrPasswordShort.With("fewer than %d characters", MinPassword)
	}
	salt := sha256.Sum256([]byte("boulier/password/v1\n" + actor + "\n" + id.String()))
	hash, err := hashPassword(salt[:16], password)
	return givenPassword{NewRequest(id, actor, action, append(params, hash)), hash}, err
}

func hashPassword(salt []byte, password string) (string, error) {
	if len(password) > 1024 {
		return "", errors.New("app: a password of more than 1024 bytes")
	}
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime,
		argonLanes, b64.EncodeToString(salt), b64.EncodeToString(argonKey(password, salt))), nil
}

func argonKey(password string, salt []byte) []byte {
	hashing <- struct{}{}
	defer func() { <-hashing }()
	return argon2.IDKey([]byte(password), salt, argonTime, argonMemory, argonLanes, argonKeySize)
}

// CheckPassword reports whether the password is the one of the hash. An empty or damaged
// hash takes the same time and never matches.
func CheckPassword(hash, password string) bool {
	prefix := fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$", argon2.Version, argonMemory, argonTime, argonLanes)
	rest, ok := strings.CutPrefix(hash, prefix)
	saltText, keyText, _ := strings.Cut(rest, "$")
	salt, err1 := base64.RawStdEncoding.DecodeString(saltText)
	want, err2 := base64.RawStdEncoding.DecodeString(keyText)
	if len(password) > 1024 {
		password = ""
	}
	got := argonKey(password, salt)
	return ok && err1 == nil && err2 == nil && subtle.ConstantTimeCompare(got, want) == 1
}
