# Sends a receipt in the background: `ReceiptJob.perform_later("ada@example.net", "1042", Time.now)`.
class ReceiptJob < ActiveJob::Base
  # A reply that begins with 4, or a missing reply, is temporary, so the job tries again.
  retry_on Net::SMTPServerBusy, Net::OpenTimeout, Net::ReadTimeout, SystemCallError, EOFError,
    wait: 30.seconds, attempts: 20
  # A reply that begins with 5 is permanent: the message or the settings have to change.
  discard_on Net::SMTPFatalError, Net::SMTPSyntaxError, Net::SMTPAuthenticationError do |job, error|
    job.logger.error("receipt of order #{job.arguments[1]} not sent: #{error.message.strip}")
  end

  def perform(to, order, ordered_at)
    ReceiptMailer.receipt(to: to, order: order, ordered_at: ordered_at).deliver_now
  end
end
