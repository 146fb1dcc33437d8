import { AppError } from '@shared/errors';
import type { PreparedRequest } from '@shared/http-file/prepare-request';
import { writePastedCurl } from '@shared/http-file/write-curl';
import {
  readSnippetValues,
  SNIPPET_LANGUAGES,
  writeSnippet,
  type SnippetLanguage,
} from '@shared/signing/snippets/signing-snippets';
import { CopyButton } from '../../../ui/copy-text';
import { EmptyState } from '../../../ui/empty-state';
import { JsonView } from '../../../ui/json-view';
import { Tabs, type TabItem } from '../../../ui/tabs';
import type { RequestInsight } from './inspect-request';
import { useRequestsStore, type CodeLanguage } from '../requests-store';

const noValues = { reference: '', amount: '', country: '', serviceCode: '' };
const curl: TabItem = { id: 'curl', label: 'cURL' };
const languages: TabItem[] = SNIPPET_LANGUAGES.map((id) => ({ id, label: writeSnippet(id, noValues).label }));

/** The request as a curl command, and code that signs it, with its own values. */
export function CodePane({ insight }: { insight: RequestInsight }) {
  const wanted = useRequestsStore((state) => state.codeLanguage);
  const { prepared } = insight;
  if (!prepared) return null;
  const { isSigned } = prepared;
  const selected = isSigned ? wanted : 'curl';
  const { code, fault } = writeCode(selected, prepared);
  return (
    <Tabs
      label="Language"
      items={isSigned ? [curl, ...languages] : [curl]}
      selected={selected}
      onSelect={(id) => useRequestsStore.setState({ codeLanguage: id as CodeLanguage })}
      trailing={
        fault === null ? (
          <CopyButton text={code} name={selected === 'curl' ? 'Copy as cURL' : 'Copy the code'} />
        ) : null
      }
      render={() =>
        fault === null ? (
          <JsonView text={code} label={selected === 'curl' ? 'Request as cURL' : 'Signing code'} isPlain />
        ) : (
          <EmptyState title={selected === 'curl' ? 'Not all of it stands here' : 'Nothing to sign yet'}>
            {fault}
          </EmptyState>
        )
      }
    />
  );
}

function writeCode(language: CodeLanguage, request: PreparedRequest): { code: string; fault: string | null } {
  if (language === 'curl') {
    if (request.files.length === 0) return { code: writePastedCurl(request), fault: null };
    return {
      code: '',
      fault: 'Files stand in its body: the command “Copy as cURL” takes their bytes along.',
    };
  }
  try {
    return { code: writeSigningCode(language, request.body ?? ''), fault: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: '', fault: error.message };
  }
}

function writeSigningCode(language: SnippetLanguage, body: string): string {
  return writeSnippet(language, readSnippetValues(body)).code.trimEnd();
}
