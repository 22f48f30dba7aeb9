// Values that the examples of the OpenAPI document share.

export const AT = "2026-11-21T09:30:00.000Z";
export const UUID = "5f0c8a52-6d0a-4c55-9a3e-2f8f1f4b7d10";
export const EMAIL_ID = "email_019e5b6c-943e-7e35-b378-f74400936f31";
export const API_KEY_SECRET = "ps_4f9Kq2Zr8VtY1bNc6HsXe3WjLm7PdRgTu5Aa0Ii9O";
export const TEAM = { id: `team_${UUID}`, name: "Example Ltd" };
export const PERSON = "ada@example.com";
export const SCHEDULED_AT = "2026-11-24T09:00:00.000Z";
