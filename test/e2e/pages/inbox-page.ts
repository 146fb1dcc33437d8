import { expect, type Locator, type Page } from '@playwright/test';

/** The Inbox: webhooks as they come, and one of them in full. */
export class InboxPage {
  readonly rows: Locator;
  readonly detail: Locator;
  readonly listener: Locator;
  readonly badge: Locator;
  /** Where webhooks go on to, and from where the listener can be reached. */
  readonly ways: Locator;

  /** Which inbox is on show; there once a team's was added. */
  readonly onShow: Locator;

  constructor(readonly page: Page) {
    this.rows = page.getByRole('listbox', { name: 'Webhooks' }).getByRole('option');
    this.detail = page.getByRole('region', { name: 'Webhook', exact: true });
    this.onShow = page.getByRole('group', { name: 'Inbox on show' });
    this.ways = page.getByRole('group', { name: 'Ways in and on' });
    this.listener = page.getByRole('group', { name: 'Listener' });
    this.badge = page.getByRole('navigation', { name: 'Views' }).getByRole('img', { name: /unread$/ });
  }

  row(text: string): Locator {
    return this.rows.filter({ hasText: text });
  }

  async choose(text: string): Promise<void> {
    await this.row(text).first().click();
    await expect(this.row(text).first()).toHaveAttribute('aria-selected', 'true');
    await expect(this.detail).toContainText(text);
  }

  async search(text: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: 'Search webhooks' }).fill(text);
  }

  async filter(name: 'All' | 'Unread' | 'Failed'): Promise<void> {
    await this.page.getByRole('radio', { name, exact: true }).click();
  }

  async showPart(name: 'Body' | 'Headers' | 'Raw bytes' | 'Attempts' | 'Forwards'): Promise<void> {
    await this.page
      .getByRole('tablist', { name: 'Parts of the webhook' })
      .getByRole('tab', { name: new RegExp(`^${name}`) })
      .click();
  }

  /** Switches forwarding on. */
  async forwardTo(url: string, filter: string): Promise<void> {
    await this.ways.getByRole('button', { name: 'Forward…' }).click();
    const dialog = this.page.getByRole('dialog', { name: 'Forward webhooks to your backend' });
    await dialog.getByRole('textbox', { name: 'Address' }).fill(url);
    await dialog.getByRole('textbox', { name: 'Only those where' }).fill(filter);
    await dialog.getByRole('button', { name: 'Forward', exact: true }).click();
    await expect(dialog).toHaveCount(0);
  }

  async doNotForward(): Promise<void> {
    await this.ways.getByRole('button', { name: 'Change' }).click();
    const dialog = this.page.getByRole('dialog', { name: 'Forward webhooks to your backend' });
    await dialog.getByText('Forward each webhook').click();
    await dialog.getByRole('button', { name: 'Do not forward' }).click();
    await expect(dialog).toHaveCount(0);
  }

  /** Changes what webhooks are answered with, and waits until the line says so. */
  async answerWith(httpStatus: number, delayMs: number, said: string): Promise<void> {
    await this.listener.getByRole('button', { name: 'Change' }).click();
    const dialog = this.page.getByRole('dialog', { name: 'What webhooks are answered with' });
    await dialog.getByRole('textbox', { name: 'HTTP status' }).fill(String(httpStatus));
    await dialog.getByRole('textbox', { name: 'Delay, milliseconds' }).fill(String(delayMs));
    await dialog.getByRole('button', { name: 'Answer so' }).click();
    await expect(this.listener).toContainText(said);
  }
}
