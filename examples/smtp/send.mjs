// Sends by SMTP with nodemailer: npm install nodemailer && node send.mjs
import { readFileSync } from "node:fs";
import { createTransport } from "nodemailer";

const transport = createTransport({
  host: "127.0.0.1",
  port: 2587,
  requireTLS: true,
  tls: { ca: readFileSync(".postern/smtp/cert.pem") },
  auth: { user: "service", pass: process.env.API_KEY },
});
const { response } = await transport.sendMail({
  from: "hello@example.test",
  to: "someone@example.net",
  subject: "Hello",
  text: "It works.",
});
console.log(response); // 250 2.0.0 email_...
