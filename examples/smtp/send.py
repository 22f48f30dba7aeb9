"""Sends by SMTP with Python's standard library: python3 send.py"""

import os, smtplib, ssl
from email.message import EmailMessage

message = EmailMessage()
message["From"], message["To"], message["Subject"] = "hello@example.test", "someone@example.net", "Hello"
message.set_content("It works.")
with smtplib.SMTP("127.0.0.1", 2587) as client:
    client.starttls(context=ssl.create_default_context(cafile=".postern/smtp/cert.pem"))
    client.login("service", os.environ["API_KEY"])
    client.send_message(message)
