# Sends by SMTP with Ruby's net-smtp: ruby send.rb
require "net/smtp"

message = "From: hello@example.test\r\nTo: someone@example.net\r\nSubject: Hello\r\n\r\nIt works.\r\n"
smtp = Net::SMTP.new("127.0.0.1", 2587, starttls: :always, ssl_context_params: { ca_file: ".postern/smtp/cert.pem" })
smtp.start(user: "service", secret: ENV.fetch("API_KEY")) do |client|
  puts client.send_message(message, "hello@example.test", "someone@example.net").string # 250 2.0.0 email_...
end
