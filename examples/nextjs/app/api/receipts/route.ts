// POST /api/receipts sends the receipt of an order. A repeated request for an order sends no second
// mail, because the order is the idempotency key.
import { InvalidRequestError, Postern, PosternError } from "postern";
import { createElement } from "react";
import Receipt, { type ReceiptProps } from "../../../emails/receipt";

interface Order extends ReceiptProps {
  readonly email: string;
}

export async function POST(request: Request): Promise<Response> {
  const { email, name, order, total }: Order = await request.json();
  const postern = new Postern(process.env["POSTERN_API_KEY"] ?? "", {
    baseUrl: process.env["POSTERN_URL"] ?? "",
  });
  try {
    const { id } = await postern.emails.send(
      {
        from: process.env["MAIL_FROM"] ?? "",
        to: [email],
        subject: `Receipt ${order}`,
        react: createElement(Receipt, { name, order, total }),
        metadata: { order },
      },
      { idempotencyKey: `receipt-${order}` },
    );
    return Response.json({ id }, { status: 202 });
  } catch (error) {
    // The customer's address or another field is wrong, so a repetition can't succeed.
    if (error instanceof InvalidRequestError)
      return Response.json({ errors: error.errors }, { status: 422 });
    if (!(error instanceof PosternError)) throw error;
    console.error(error);
    return Response.json({ message: "Try again in a minute." }, { status: 503 });
  }
}
