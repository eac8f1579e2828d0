// Package api verifies JWT access tokens (RFC 9068), as docs/guides/jwt-access-tokens.md explains.
package api

import (
	"errors"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
)

const issuer = "https://id.example.com"

// Made once, of keyfunc.NewDefault([]string{issuer + "/oauth2/jwks"}).
var keys keyfunc.Keyfunc

type claims struct {
	jwt.RegisteredClaims
	ClientID string         `json:"client_id"`
	Scope    string         `json:"scope"`
	Cnf      map[string]any `json:"cnf"`
}

func verify(text string) (*claims, error) {
	var found claims
	token, err := jwt.ParseWithClaims(text, &found, keys.Keyfunc,
		jwt.WithIssuer(issuer), jwt.WithAudience("orders-api"), jwt.WithExpirationRequired(),
		jwt.WithValidMethods([]string{"RS256"}))
	switch {
	case err != nil:
		return nil, err
	case token.Header["typ"] != "at+jwt":
		return nil, errors.New("it is no access token")
	case found.Cnf != nil:
		return nil, errors.New("it is bound to a key, which is not checked here")
	}
	return &found, nil
}
