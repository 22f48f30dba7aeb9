// A page of the documentation as text: Vite reads it for the worker's tests.
declare module "*.md?raw" {
  const text: string;
  export { text as default };
}
