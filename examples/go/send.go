// Sends the receipt of an order, with Go's standard library alone.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const retries = 4

// Message has the members of POST /v1/email that this program uses.
type Message struct {
	From     string            `json:"from"`
	To       []string          `json:"to"`
	Subject  string            `json:"subject"`
	Text     string            `json:"text"`
	Metadata map[string]string `json:"metadata,omitempty"`
}

var client = &http.Client{Timeout: 20 * time.Second}

// Send returns the message's id. If this runs again with the same key, no second message is sent.
func Send(message Message, idempotencyKey string) (string, error) {
	body, err := json.Marshal(message)
	if err != nil {
		return "", err
	}
	for attempt := 0; ; attempt++ {
		id, after, err := attemptToSend(body, idempotencyKey)
		if err == nil || after < 0 || attempt == retries {
			return id, err
		}
		wait := time.Duration(float64(250*time.Millisecond<<attempt) * (1 + rand.Float64()))
		if wait < after {
			wait = after
		}
		time.Sleep(wait)
	}
}

// attemptToSend returns the shortest wait before the next attempt. A negative wait means that the
// next attempt would have the same result.
func attemptToSend(body []byte, key string) (string, time.Duration, error) {
	url := strings.TrimRight(os.Getenv("POSTERN_URL"), "/") + "/v1/email"
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return "", -1, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("POSTERN_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", key)
	request.Header.Set("User-Agent", "shop")
	response, err := client.Do(request)
	if err != nil {
		return "", 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return "", 0, err
	}
	if response.StatusCode == http.StatusAccepted {
		var sent struct{ ID string }
		err := json.Unmarshal(text, &sent)
		return sent.ID, -1, err
	}
	problem := errors.New(describe(response.StatusCode, text))
	// A used-up quota is a 429 too, but it lasts for hours, so a retry is useless.
	passing := response.StatusCode >= 500 ||
		response.StatusCode == 429 && bytes.Contains(text, []byte("rate_limit_exceeded")) ||
		response.StatusCode == 409 && bytes.Contains(text, []byte("idempotency_concurrent"))
	if !passing {
		return "", -1, problem
	}
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	return "", time.Duration(seconds) * time.Second, problem
}

// describe returns the fields that an answer names, or else its text.
func describe(status int, text []byte) string {
	var answer struct {
		Error struct{ Errors map[string][]string }
	}
	reasons := []string{}
	if json.Unmarshal(text, &answer) == nil {
		for field, all := range answer.Error.Errors {
			for _, reason := range all {
				reasons = append(reasons, field+" "+reason)
			}
		}
	}
	if len(reasons) == 0 {
		reasons = append(reasons, string(text))
	}
	return fmt.Sprintf("%d: %s", status, strings.Join(reasons, "; "))
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: send ADDRESS ORDER")
		os.Exit(2)
	}
	to, order := os.Args[1], os.Args[2]
	id, err := Send(Message{
		From:     os.Getenv("MAIL_FROM"),
		To:       []string{to},
		Subject:  "Receipt " + order,
		Text:     "Thank you for your order " + order + ".",
		Metadata: map[string]string{"order": order},
	}, "receipt-"+order)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(id)
}
