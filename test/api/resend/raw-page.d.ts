// Type declaration for importing a documentation page as text, which Vite provides for the worker's
// tests.
declare module "*.md?raw" {
  const text: string;
  export { text as default };
}
