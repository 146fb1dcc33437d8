import { expect, type Locator, type Page } from '@playwright/test';
import type {} from '../../../renderer/ui/code-editor';

type Field = 'reference' | 'amount' | 'country' | 'service_code';

/** The Requests view: tree, editor with its strip, response. */
export class RequestsPage {
  readonly stringToSign: Locator;
  readonly response: Locator;

  constructor(readonly page: Page) {
    this.stringToSign = page.getByRole('region', { name: 'String to sign' });
    this.response = page.getByRole('region', { name: 'Response', exact: true });
  }

  treeItem(name: string): Locator {
    return this.page.getByRole('treegrid', { name: 'Requests of the collection' }).getByRole('row', { name });
  }

  async open(name: string): Promise<void> {
    await this.treeItem(name).click();
    const tab = this.page
      .getByRole('navigation', { name: 'Open requests' })
      .getByRole('button', { name })
      .first();
    await expect(tab).toHaveAttribute('aria-current', 'true');
    await this.waitForEditor();
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

  async waitForEditor(): Promise<void> {
    await this.page.waitForFunction(() => window.__countersignEditors?.['Body'] !== undefined);
  }

  readBody(): Promise<string> {
    return this.page.evaluate(() => window.__countersignEditors!['Body']!.getValue());
  }

  async setBody(text: string): Promise<void> {
    await this.page.evaluate((next) => window.__countersignEditors!['Body']!.setValue(next), text);
  }

  async replaceInBody(from: string, to: string): Promise<void> {
    const body = await this.readBody();
    expect(body).toContain(from);
    await this.setBody(body.replace(from, to));
  }

  async sendWithKeyboard(): Promise<void> {
    await this.page.locator('.monaco-editor').first().click();
    await this.page.keyboard.press('ControlOrMeta+Enter');
  }
}
