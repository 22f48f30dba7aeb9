# The receipt of an order, which is the same message each time it is made: a repeated job sends the
# same bytes under the same key, and the service sends them once.
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
