// Receives webhook deliveries in Go 1.18 or later, without a module: go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	toleranceSeconds = 5 * 60
	largestBody      = 1024 * 1024
)

// isGenuine takes the bytes of the body as they came, and the value of Service-Signature.
func isGenuine(body []byte, header, secret string) bool {
	var timestamp string
	var signatures [][]byte
	for _, field := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		if name == "t" {
			timestamp = value
		} else if signature, err := hex.DecodeString(value); name == "v1" && err == nil {
			signatures = append(signatures, signature)
		}
	}
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Now().Unix() - sent; err != nil || age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	for _, signature := range signatures {
		if hmac.Equal(signature, expected) {
			return true
		}
	}
	return false
}

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	if secret == "" {
		log.Fatal("WEBHOOK_SECRET is not set")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
		if err != nil || !isGenuine(body, r.Header.Get("Service-Signature"), secret) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		var batch struct {
			Events []struct {
				Type string
				Data struct{ Recipient string }
			}
		}
		if err := json.Unmarshal(body, &batch); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		for _, event := range batch.Events {
			log.Println(event.Type, event.Data.Recipient)
		}
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
