// The receipt as React. `npx react-email dev` shows it in a browser while you edit, and the
// components of `react-email` work here as plain elements do.
export interface ReceiptProps {
  readonly name: string;
  readonly order: string;
  readonly total: string;
}

export default function Receipt({ name, order, total }: ReceiptProps) {
  return (
    <html lang="en">
      <body style={{ fontFamily: "system-ui, sans-serif", color: "#1f2328" }}>
        <h1 style={{ fontSize: 20 }}>Thank you, {name}</h1>
        <p>
          We have received your order <strong>{order}</strong> of {total}.
        </p>
        <p>
          <a href={`https://shop.example.com/orders/${encodeURIComponent(order)}`}>See the order</a>
        </p>
      </body>
    </html>
  );
}
