# Makes the receipt of an order. A repeated job makes the same bytes with the same idempotency key,
# so the service sends the receipt once.
class ReceiptMailer < ActionMailer::Base
  default from: -> { ENV.fetch("MAIL_FROM") }

  def receipt(to:, order:, ordered_at:)
    @order = order
    host = Mail::Address.new(ENV.fetch("MAIL_FROM")).domain
    mail(
      to: to,
      subject: "Receipt #{order}",
      date: ordered_at,
      message_id: "<receipt-#{order}@#{host}>",
      "X-Service-Idempotency-Key": "receipt-#{order}",
      "X-Service-Metadata": { order: order }.to_json
    )
  end
end
