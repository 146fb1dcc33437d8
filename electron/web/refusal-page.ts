/** The page for a browser that came without a session: says why, and what to do. */
export function refusalPage(reason: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Countersign</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem; }
  h1 { font-size: 1.2rem; }
</style>
<main>
<h1>${reason}</h1>
<p>Each address that Countersign prints opens one browser, once, so that nobody else on this machine can use your keys.
Go to the terminal where Countersign runs and open the last address printed there.</p>
</main>
</html>
`;
}
