import { parseHttpFile } from '@shared/http-file/parse-http-file';
import { planRun, type RunPlan } from '@shared/run/plan-run';
import { readDirectives } from '@shared/run/read-directives';

/** Plans a run of the requests of one file. */
export function planText(text: string): RunPlan {
  const file = parseHttpFile(text);
  return planRun(
    file.requests.map((block) => ({
      name: block.name ?? '',
      folder: '',
      file: 'a.http',
      block,
      text: file.text.slice(block.start, block.end),
      directory: '/',
      identity: null,
      directives: readDirectives(block),
    })),
    { tags: [], grep: null },
  );
}
