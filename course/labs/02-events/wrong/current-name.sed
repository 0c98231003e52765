# loses early: says the phase where the thread belongs
s/phase=%s thread="/phase=%s thread=the "/
