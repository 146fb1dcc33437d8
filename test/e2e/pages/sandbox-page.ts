import { expect, type Locator, type Page } from '@playwright/test';

type SandboxTab =
  | 'Requests'
  | 'Payments'
  | 'Deliveries'
  | 'Wallets'
  | 'Outcomes by account'
  | 'Your backend'
  | 'Behaviour';

/** The Sandbox view: what it was asked, what it holds, how it is set up. */
export class SandboxPage {
  constructor(readonly page: Page) {}

  async show(tab: SandboxTab): Promise<void> {
    await this.page
      .getByRole('tablist', { name: 'Parts of the sandbox' })
      .getByRole('tab', { name: new RegExp(`^${tab}`) })
      .click();
  }

  /** A row of one of its tables. */
  row(table: string, text: string | RegExp): Locator {
    return this.page.getByRole('grid', { name: table }).getByRole('row').filter({ hasText: text });
  }

  async registerKey(pem: string, how: 'Beside the others' | 'Instead of the others'): Promise<void> {
    await this.show('Your backend');
    await this.page.getByRole('button', { name: 'Register a key' }).click();
    const dialog = this.page.getByRole('dialog', { name: 'Register a public key' });
    await dialog.getByRole('textbox', { name: 'Public key' }).fill(pem);
    await dialog.getByRole('radio', { name: how }).click();
    await expect(dialog.getByRole('radio', { name: how })).toBeChecked();
    await dialog.getByRole('button', { name: 'Register', exact: true }).click();
    await expect(dialog).toBeHidden();
    if (how === 'Beside the others') return;
    const keys = this.page.getByRole('region', { name: 'Registered keys' }).getByRole('listitem');
    await expect(keys).toHaveCount(1);
  }

  async choose(action: 'Restart' | 'Stop' | 'Reset…'): Promise<void> {
    await this.page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click();
    await this.page.getByRole('menuitem', { name: action }).click();
  }
}
