import { expect, type Locator, type Page } from '@playwright/test';
import type {} from '../../../renderer/ui/code-editor';

type Field = 'reference' | 'amount' | 'country' | 'service_code';

/** The Requests view: tree, editor with its strip, response. */
export class RequestsPage {
  readonly stringToSign: Locator;
  readonly response: Locator;
  readonly openTabs: Locator;

  constructor(readonly page: Page) {
    this.stringToSign = page.getByRole('region', { name: 'String to sign' });
    this.response = page.getByRole('region', { name: 'Response', exact: true });
    this.openTabs = page.getByRole('navigation', { name: 'Open requests' });
  }

  treeItem(name: string): Locator {
    return this.page
      .getByRole('treegrid', { name: 'Requests of the collection' })
      .getByRole('row', { name, exact: true });
  }

  /** Shows the body: an earlier spec may have left another part of the request in the same app. */
  async open(name: string): Promise<void> {
    await this.chooseRow(name);
    await this.showPart('Body');
    await this.waitForEditor();
  }

  private async chooseRow(name: string): Promise<void> {
    await this.treeItem(name).click();
    await expect(this.tab(name)).toHaveAttribute('aria-current', 'true');
  }

  tab(name: string): Locator {
    return this.openTabs.getByRole('button', { name }).and(this.page.locator('[title]'));
  }

  /** Opens the body of a request as its file has it: what an earlier spec typed goes, and which part it showed. */
  async openAsSaved(name: string): Promise<void> {
    // The tabs of last time come with the tree.
    await expect(this.treeItem(name)).toBeVisible();
    await this.close(name);
    await this.open(name);
  }

  async close(name: string): Promise<void> {
    const closing = this.openTabs.getByRole('button', { name: `Close ${name}`, exact: true });
    if ((await closing.count()) === 0) return;
    await closing.click();
    const discard = this.page.getByRole('button', { name: 'Close without saving' });
    // A tab that comes back after a reload may learn of its draft later than it stands there.
    await expect(async () => {
      if (await discard.isVisible()) await discard.click();
      await expect(closing).toHaveCount(0, { timeout: 500 });
    }).toPass();
  }

  /** Closes all tabs but one; drafts of earlier specs go. */
  async closeOthers(kept: string): Promise<void> {
    const closing = this.openTabs.getByRole('button', { name: /^Close / });
    // Tabs of last time may come while these are closed.
    await expect(async () => {
      const labels = await closing.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')!));
      for (const label of labels) {
        const name = label.slice('Close '.length);
        if (name !== kept) await this.close(name);
      }
      await expect(closing).toHaveCount(1, { timeout: 500 });
    }).toPass();
  }

  /** Chooses from the menu of a file or folder in the tree. */
  async choose(name: string, action: string): Promise<void> {
    await this.treeItem(name).click({ button: 'right' });
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  async showPart(name: 'Body' | 'Query' | 'Headers' | 'Expect' | 'Notes' | 'File'): Promise<void> {
    await this.page.getByRole('tablist', { name: 'Parts of the request' }).getByRole('tab', { name }).click();
  }

  async showAnswerPart(name: 'Body' | 'Headers' | 'Sent' | 'Wire'): Promise<void> {
    await this.page
      .getByRole('tablist', { name: 'Parts of the response' })
      .getByRole('tab', { name })
      .click();
  }

  async showBodyAs(name: 'Pretty' | 'Raw' | 'Tree' | 'In words'): Promise<void> {
    await this.response
      .getByRole('radiogroup', { name: 'How the body is shown' })
      .getByRole('radio', { name })
      .click();
  }

  /** The whole of the string to sign. */
  async readStringToSign(): Promise<string> {
    const shown = this.stringToSign.locator('[data-string-to-sign]');
    await expect(shown).toBeVisible();
    return (await shown.getAttribute('data-string-to-sign'))!;
  }

  /** One of the four spans of the string to sign, in the strip. */
  signedSpan(field: Field): Locator {
    return this.stringToSign.locator(`[data-string-to-sign] [data-field="${field}"]`);
  }

  /** The same field's mark in the editor: same hue, same underline. */
  editorMark(field: Field): Locator {
    return this.page.locator(`.monaco-editor [class*="${field}"]`).first();
  }

  async readSignedValue(field: Field): Promise<string> {
    await expect(this.signedSpan(field)).toBeVisible();
    return (await this.signedSpan(field).textContent())!;
  }

  async waitForEditor(label = 'Body'): Promise<void> {
    await this.page.waitForFunction((key) => window.__countersignEditors?.[key] !== undefined, label);
  }

  readBody(): Promise<string> {
    return this.page.evaluate(() => window.__countersignEditors!['Body']!.getValue());
  }

  async setBody(text: string): Promise<void> {
    await this.page.evaluate((next) => window.__countersignEditors!['Body']!.setValue(next), text);
  }

  /** Shows the body first: a spec before it may have left another part of the request in the same app. */
  async replaceInBody(from: string, to: string): Promise<void> {
    await this.showPart('Body');
    const body = await this.readBody();
    expect(body).toContain(from);
    await this.setBody(body.replace(from, to));
  }

  async sendWithKeyboard(): Promise<void> {
    await this.page.locator('.monaco-editor').first().click();
    await this.page.keyboard.press('ControlOrMeta+Enter');
  }

  async send(): Promise<void> {
    await this.page.getByRole('button', { name: 'Send', exact: true }).click();
  }
}
