package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

var errInvalidToken = errors.New("the token is not valid")

// caller is the user, or the client that acts for itself, with the scopes of the token.
type caller struct {
	name   string
	scopes []string
}

var (
	client  = &http.Client{Timeout: 5 * time.Second}
	baseURL = os.Getenv("WATCHWORD_URL")
)

// ask posts a form as this resource server and reads the JSON of a 200.
func ask(path string, form url.Values, answer any) (int, error) {
	request, err := http.NewRequest(http.MethodPost, baseURL+path, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth(os.Getenv("API_KEY"), os.Getenv("API_SECRET"))
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return response.StatusCode, nil
	}
	return response.StatusCode, json.NewDecoder(response.Body).Decode(answer)
}

func byTokenInfo(token string) (caller, error) {
	var info struct {
		Principal struct{ Name string }
		Scopes    []string
		ExpiresIn int64           `json:"expires_in"` // Epoch milliseconds; 0 means that the token does not expire.
		Cnf       json.RawMessage // Of a token that is bound to a key, which is not checked here.
	}
	status, err := ask("/v1/tokeninfo", url.Values{"access_token": {token}}, &info)
	switch {
	case err != nil:
		return caller{}, err
	case status == http.StatusNotFound || status == http.StatusGone:
		return caller{}, errInvalidToken
	case status != http.StatusOK:
		return caller{}, fmt.Errorf("token info answered %d", status)
	case info.Cnf != nil || info.ExpiresIn != 0 && info.ExpiresIn <= time.Now().UnixMilli():
		return caller{}, errInvalidToken
	}
	return caller{info.Principal.Name, info.Scopes}, nil
}

func byIntrospection(token string) (caller, error) {
	var info struct {
		Active   bool
		Username string
		Scope    string
		Cnf      json.RawMessage
	}
	status, err := ask("/oauth2/introspect", url.Values{"token": {token}}, &info)
	switch {
	case err != nil:
		return caller{}, err
	case status != http.StatusOK:
		return caller{}, fmt.Errorf("introspection answered %d", status)
	case !info.Active || info.Cnf != nil:
		return caller{}, errInvalidToken
	}
	return caller{info.Username, strings.Fields(info.Scope)}, nil
}

// protect lets a request through whose token has the scope.
func protect(scope string, find func(string) (caller, error), next func(http.ResponseWriter, caller)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		refuse := func(status int, challenge string) {
			w.Header().Set("WWW-Authenticate", "Bearer realm=\"api\""+challenge)
			w.WriteHeader(status)
		}
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || token == "" {
			refuse(http.StatusUnauthorized, "")
			return
		}
		found, err := find(token)
		switch {
		case errors.Is(err, errInvalidToken):
			refuse(http.StatusUnauthorized, ", error=\"invalid_token\"")
		case err != nil:
			log.Print(err)
			w.WriteHeader(http.StatusServiceUnavailable)
		case !contains(found.scopes, scope):
			refuse(http.StatusForbidden, ", error=\"insufficient_scope\", scope=\""+scope+"\"")
		default:
			next(w, found)
		}
	}
}

func contains(scopes []string, wanted string) bool {
	for _, scope := range scopes {
		if scope == wanted {
			return true
		}
	}
	return false
}

func main() {
	find := byTokenInfo
	if os.Getenv("BY") == "introspection" {
		find = byIntrospection
	}
	http.HandleFunc("/", protect("read", find, func(w http.ResponseWriter, c caller) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]string{"hello": c.name})
	}))
	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}
