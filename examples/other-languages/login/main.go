package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"html"
	"log"
	"net/http"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	provider, err := oidc.NewProvider(context.Background(), os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     "go-app",
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  "http://localhost:3000/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})

	http.HandleFunc("GET /login", func(w http.ResponseWriter, r *http.Request) {
		state, nonce, pkce := rand.Text(), rand.Text(), oauth2.GenerateVerifier()
		keep(w, "state", state)
		keep(w, "nonce", nonce)
		keep(w, "pkce", pkce)
		http.Redirect(w, r, config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(pkce)), http.StatusFound)
	})

	http.HandleFunc("GET /callback", func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if query.Get("state") == "" || query.Get("state") != kept(r, "state") {
			http.Error(w, "the login began in another browser: start again", http.StatusBadRequest)
			return
		}
		if query.Has("error") {
			http.Error(w, query.Get("error"), http.StatusForbidden)
			return
		}
		token, err := config.Exchange(r.Context(), query.Get("code"), oauth2.VerifierOption(kept(r, "pkce")))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		raw, _ := token.Extra("id_token").(string)
		idToken, err := verifier.Verify(r.Context(), raw)
		if err != nil || idToken.Nonce != kept(r, "nonce") {
			http.Error(w, "the ID token is wrong", http.StatusBadGateway)
			return
		}
		user, err := provider.UserInfo(r.Context(), config.TokenSource(r.Context(), token))
		if err != nil || user.Subject != idToken.Subject {
			http.Error(w, "the server does not tell who this is", http.StatusBadGateway)
			return
		}
		var claims struct{ Name string }
		if err := user.Claims(&claims); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		// Begin the session of your application here; user.Subject is the key of the user.
		fmt.Fprintf(w, "%s %s %s", user.Subject, html.EscapeString(claims.Name), html.EscapeString(user.Email))
	})

	log.Fatal(http.ListenAndServe("localhost:3000", nil))
}

// keep stores a value in the browser until it comes back. With https, set Secure too.
func keep(w http.ResponseWriter, name, value string) {
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/callback", MaxAge: 600, HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

func kept(r *http.Request, name string) string {
	cookie, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}
