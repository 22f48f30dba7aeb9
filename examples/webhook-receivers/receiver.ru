# Receives webhook deliveries in Ruby, on any Rack server: rackup --port 3000 receiver.ru
require "json"
require "openssl"

SECRET = ENV["WEBHOOK_SECRET"].to_s
abort "WEBHOOK_SECRET is not set" if SECRET.empty?

TOLERANCE_SECONDS = 5 * 60
LARGEST_BODY = 1024 * 1024

# `body`: the bytes as they came. `header`: the value of Service-Signature.
def genuine?(body, header, secret)
  fields = header.split(",").map { |field| field.strip.split("=", 2) }
  timestamp = fields.assoc("t").to_a.last.to_s
  return false unless timestamp.match?(/\A[0-9]{1,12}\z/) && (Time.now.to_i - timestamp.to_i).abs <= TOLERANCE_SECONDS

  expected = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{timestamp}.#{body}")
  fields.any? { |name, value| name == "v1" && OpenSSL.secure_compare(value.to_s, expected) }
end

receiver = lambda do |env|
  body = env["rack.input"].read(LARGEST_BODY).to_s.b
  next [400, {}, []] unless genuine?(body, env["HTTP_SERVICE_SIGNATURE"].to_s, SECRET)

  JSON.parse(body)["events"].each { |event| puts "#{event["type"]} #{event.dig("data", "recipient")}" }
  [204, {}, []]
end

run receiver
