// Sends by SMTP with Go's standard library: SSL_CERT_FILE=.postern/smtp/cert.pem go run send.go
package main

import (
	"log"
	"net/smtp"
	"os"
)

func main() {
	auth := smtp.PlainAuth("", "service", os.Getenv("API_KEY"), "127.0.0.1")
	message := []byte("From: hello@example.test\r\nTo: someone@example.net\r\nSubject: Hello\r\n\r\nIt works.\r\n")
	err := smtp.SendMail("127.0.0.1:2587", auth, "hello@example.test", []string{"someone@example.net"}, message)
	if err != nil {
		log.Fatal(err)
	}
}
