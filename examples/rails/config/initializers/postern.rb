# Sends Rails' mail through Postern by SMTP.
require "net/smtp"

ActiveSupport.on_load(:action_mailer) do
  self.delivery_method = :smtp
  self.raise_delivery_errors = true
  self.smtp_settings = {
    address: ENV.fetch("POSTERN_SMTP_HOST"),
    port: Integer(ENV.fetch("POSTERN_SMTP_PORT", "587")),
    user_name: "service",
    password: ENV.fetch("POSTERN_API_KEY"),
    authentication: :plain,
    enable_starttls: true, # Refuses to send without TLS.
    open_timeout: 10,
    read_timeout: 30
  }
end
