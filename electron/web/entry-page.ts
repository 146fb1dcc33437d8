import { proofFragment } from '@shared/web-proof';

/**
 * The page that a launch address answers with: it leads on to the app.
 *
 * A redirect by header would not do: where the address was opened from a file, browsers count what follows as another
 * site's doing, and hold the new cookie back.
 * @param proof - goes to the app's page in the fragment; null: that window has it already
 */
export function entryPage(proof: string | null): string {
  const target = proof === null ? '/' : `/${proofFragment}${proof}`;
  return `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0;url=${target}">
<title>Countersign</title>
`;
}
