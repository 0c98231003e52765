# loses pop once exception caller kit: names the method of the caller
s/delivery_method(frame)/delivery_method(frame->caller ? frame->caller : frame)/
