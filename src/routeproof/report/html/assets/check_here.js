// "Check it here": the proof that the page carries, checked by proofChecker in a worker of this page.

class CheckHere {
  constructor(section, proof) {
    this.proof = proof;
    this.button = element('button', { type: 'button', class: 'plain', id: 'check', text: 'Check it here',
      title: 'Runs the checker that this page carries: a forged page can carry a forged checker.',
      onclick: () => this.start() });
    this.verdict = element('p', { id: 'verdict', role: 'status' });
    this.list = element('ol', { id: 'checks' });
    this.about = element('ul', { id: 'about' });
    const keep = element('button', { type: 'button', class: 'plain', id: 'save-proof', text: 'Save the proof (JSON)',
      onclick: () => save('proof.json', 'application/json', proof) });
    section.append(element('p', {}, this.button, ' ', keep), this.verdict,
      element('div', { class: 'scroll', tabindex: '0', hidden: true }, this.about, this.list));
    this.box = this.list.parentNode;
  }

  start() {
    this.button.disabled = true;
    this.verdict.className = '';
    this.verdict.textContent = 'Reading the proof ...';
    this.list.replaceChildren();
    this.box.hidden = true;
    const source = `${proofChecker}
      onmessage = ({ data }) => {
        const say = { read: (words, lines) => postMessage({ words, lines }), holds: (number) => postMessage({ number }) };
        postMessage(proofChecker().check(data, say));
      };`;
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const worker = new Worker(url);
    const stop = () => { worker.terminate(); URL.revokeObjectURL(url); this.button.disabled = false; };
    worker.onmessage = ({ data }) => {
      if (data.words !== undefined) this.listed(data);
      else if (data.number !== undefined) this.holds(data.number);
      else { this.ended(data); stop(); }
    };
    worker.onerror = (error) => {
      error.preventDefault();
      this.ended({ status: 2, message: `the checker stopped: ${error.message}` });
      stop();
    };
    worker.postMessage(this.proof);
  }

  listed({ words, lines }) {
    this.about.replaceChildren(...lines.map((text) => element('li', { text })));
    this.list.append(...words.map((x) => element('li', { text: x })));
    this.box.hidden = false;
    this.verdict.textContent = 'Checking ...';
  }

  holds(number) {
    const item = this.list.children[number - 1];
    item.className = 'holds';
    item.append(element('strong', { text: ': holds' }));
  }

  ended({ status, message, left }) {
    this.verdict.className = status === 0 ? 'holds' : 'fails';
    this.verdict.textContent = status === 0 ? `${message}: every one was checked by the checker of this page, in whole numbers.` : message;
    for (const text of left ?? []) this.list.append(element('li', { class: 'quiet', text }));
  }
}

const proofHere = document.getElementById('proof');
const checkSection = document.getElementById('check-section');
if (proofHere && checkSection) new CheckHere(checkSection, proofHere.textContent);
