import { gatherSharedJourney } from '@shared/journey/gather-shared-journey';
import { writeJourneyHtml, writeJourneyMarkdown, type SharedJourney } from '@shared/journey/write-journey';
import { call } from '../../transport/client';
import { TextButton } from '../../ui/button';
import { Menu } from '../../ui/menu';
import { saveFile } from '../../ui/save-file';
import { copyAndSay } from '../../ui/say';
import { usePaymentsStore } from './payments-store';

/** Gives the payment on show to others: as Markdown, or as one file; secrets masked. */
export function ShareMenu() {
  const share = (give: (shared: SharedJourney, name: string) => unknown): void => {
    const { journey } = usePaymentsStore.getState();
    if (journey === null) return;
    const told = journey.summary.reference.replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, '-');
    const name = `payment-${[...told].slice(0, 60).join('')}`;
    const read = (id: string): ReturnType<typeof call<'history.get'>> =>
      call('history.get', { id, isForScreen: true });
    void gatherSharedJourney(journey, read, Date.now()).then((shared) => give(shared, name));
  };
  return (
    <Menu
      label="Share this payment"
      trigger={<TextButton>Share</TextButton>}
      actions={[
        {
          id: 'copy',
          label: 'Copy as Markdown',
          onAction: () => share((shared) => copyAndSay(writeJourneyMarkdown(shared))),
        },
        {
          id: 'markdown',
          label: 'Save as Markdown',
          onAction: () =>
            share((shared, name) => saveFile(`${name}.md`, writeJourneyMarkdown(shared), 'text/markdown')),
        },
        {
          id: 'html',
          label: 'Save as one HTML file',
          onAction: () =>
            share((shared, name) => saveFile(`${name}.html`, writeJourneyHtml(shared), 'text/html')),
        },
      ]}
    />
  );
}
