import type { Page } from '@playwright/test';

export declare const themeRules: readonly string[];
export declare const visualRules: readonly string[];
export declare function findViolations(page: Page, rules?: readonly string[]): Promise<string[]>;
export declare function findOverflow(page: Page): Promise<string[]>;
export declare function findCutControls(page: Page): Promise<string[]>;
